import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, cp, glob, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutNpm } from '@dealkeep/tooling';

export interface Image {
  /** What `WORKDIR` holds in the end. */
  app: string;
  /** Folders that the server may write, for volumes. */
  writable: string[];
  /** Arguments of node, without node itself. */
  entrypoint: string[];
  command: string[];
  healthCheck: string[];
}

/**
 * Does what `docker build` does with our Dockerfile, without an engine: the committed files less those of
 * .dockerignore, the COPY lines in their order, then the RUN line that installs. Those that make a folder for a volume are
 * read: its owner is only in the image.
 */
export async function buildImage(repository: string, folder: string): Promise<Image> {
  const context = join(folder, 'context');
  const app = join(folder, 'app');
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${repository}`, context], {
    stdio: 'inherit',
  });
  const dockerfile = await readFile(join(context, 'Dockerfile'), 'utf8');
  const ignored = (await readFile(join(context, '.dockerignore'), 'utf8')).split('\n').filter(Boolean);
  for await (const path of glob(ignored, { cwd: context })) {
    await rm(join(context, path), { recursive: true, force: true });
  }

  await mkdir(app);
  for (const [, names = '', target = ''] of dockerfile.matchAll(/^COPY (.+) (\S+)$/gm)) {
    for (const name of names.split(' ')) {
      const place = target.endsWith('/') ? join(app, target, name) : join(app, target);
      await cp(join(context, name), place, { recursive: true });
    }
  }
  const [run = '', ...more] = [...dockerfile.matchAll(/^RUN (.+)$/gm)].map(([, line = '']) => line);
  const writable = more.map((line) => {
    const [, path] = /^install --directory --owner node --group node --mode 0700 (\/\S+)$/.exec(line) ?? [];
    assert(path, `A RUN line that is not known here: ${line}`);
    return path;
  });
  // The cache of this machine is not the image's.
  const install = run.replace(' && npm cache clean --force', '');
  execFileSync('sh', ['-c', install], {
    cwd: app,
    stdio: 'inherit',
    env: { ...withoutNpm(process.env), NODE_ENV: 'production' },
  });
  await chmod(folder, 0o755);
  return {
    app,
    writable,
    entrypoint: nodeArguments(dockerfile, /^ENTRYPOINT (\[.+\])$/m),
    command: list(dockerfile, /^CMD (\[.+\])$/m),
    healthCheck: nodeArguments(dockerfile, /^ {2}CMD (\[.+\])$/m),
  };
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
