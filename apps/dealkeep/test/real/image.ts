import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, cp, glob, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutNpm } from '@dealkeep/tooling';

export interface Image {
  /** What `WORKDIR` holds in the end. */
  app: string;
  /** Where `/opt` of the image is on this machine. */
  opt: string;
  /** Folders that the server may write, for volumes. */
  writable: string[];
  /** Arguments of node, without node itself. */
  entrypoint: string[];
  command: string[];
  healthCheck: string[];
}

/**
 * Does what `docker build` does with our Dockerfile, without an engine: the committed files less those of
 * .dockerignore, then the COPY and RUN lines of each stage in their order. What a line says of `/opt` is done in a
 * folder of this machine. Those that make a folder for a volume are read: its owner is only in the image.
 */
export async function buildImage(repository: string, folder: string): Promise<Image> {
  const context = join(folder, 'context');
  const opt = join(folder, 'opt');
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${repository}`, context], {
    stdio: 'inherit',
  });
  const dockerfile = await readFile(join(context, 'Dockerfile'), 'utf8');
  const ignored = (await readFile(join(context, '.dockerignore'), 'utf8')).split('\n').filter(Boolean);
  for await (const path of glob(ignored, { cwd: context })) {
    await rm(join(context, path), { recursive: true, force: true });
  }

  await mkdir(opt);
  const writable: string[] = [];
  let app = '';
  for (const stage of dockerfile.split(/^FROM /m).slice(1)) {
    const [workingFolder] = /(?<=^WORKDIR )\S+$/m.exec(stage) ?? [];
    if (workingFolder === undefined) continue;
    app = join(folder, workingFolder);
    await mkdir(app);
    const environment = Object.fromEntries(
      [...stage.matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
    );
    for (const [, instruction, line = ''] of stage.matchAll(/^(COPY|RUN) (.+)$/gm)) {
      const volume = /^install --directory --owner node --group node --mode 0700 (\/\S+)$/.exec(line)?.[1];
      if (volume !== undefined) writable.push(volume);
      else if (instruction === 'COPY') await copyInto(app, line, context);
      else runIn(app, line.replaceAll('/opt/', `${opt}/`), environment);
    }
  }
  await chmod(folder, 0o755);
  return {
    app,
    opt,
    writable,
    entrypoint: nodeArguments(dockerfile, /^ENTRYPOINT (\[.+\])$/m),
    command: list(dockerfile, /^CMD (\[.+\])$/m),
    healthCheck: nodeArguments(dockerfile, /^ {2}CMD (\[.+\])$/m),
  };
}

async function copyInto(app: string, line: string, context: string): Promise<void> {
  const names = line.split(' ');
  const target = names.pop() ?? '';
  if (names[0]?.startsWith('--from=')) {
    // All stages share one /opt here.
    assert.deepEqual([names[1], target.split('/')[1]], [target, 'opt'], line);
    return;
  }
  for (const name of names) {
    const place = target.endsWith('/') ? join(app, target, name) : join(app, target);
    await cp(join(context, name), place, { recursive: true });
  }
}

function runIn(app: string, line: string, environment: NodeJS.ProcessEnv): void {
  // The cache of this machine is not the image's.
  execFileSync('sh', ['-c', line.replace(' && npm cache clean --force', '')], {
    cwd: app,
    stdio: 'inherit',
    env: { ...withoutNpm(process.env), ...environment },
  });
}

function list(dockerfile: string, line: RegExp): string[] {
  const parts: unknown = JSON.parse(line.exec(dockerfile)?.[1] ?? 'null');
  assert(Array.isArray(parts), `The Dockerfile has a line ${line}`);
  return parts.map(String);
}

function nodeArguments(dockerfile: string, line: RegExp): string[] {
  const [node, ...rest] = list(dockerfile, line);
  assert.equal(node, 'node');
  return rest;
}
