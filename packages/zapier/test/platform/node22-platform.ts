import { fork } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { node22 } from '../../bin/zapier-tooling.ts';
import type { PlatformEvent } from '../../src/app-handler.ts';
import { type Platform, startPlatform } from './platform.ts';

interface Reply {
  readonly id: number;
  readonly results?: unknown;
  readonly error?: { readonly name: string; readonly message: string; readonly stack?: string };
}

export interface Node22Platform extends Platform {
  /** `v22.…`, as the running build reports it. */
  readonly nodeVersion: string;
  /** Everything that the build has printed so far. */
  printed(): string;
}

/** An unzipped build, running in a process of its own on the Node that Zapier uses, which trusts this authority. */
export async function startNode22(unzipped: string, authority: string): Promise<Node22Platform> {
  const host = join(unzipped, '..', 'host.ts');
  await cp(join(import.meta.dirname, 'node22-host.ts'), host);
  const child = fork(host, [], {
    cwd: unzipped,
    execPath: await node22(),
    execArgv: ['--disable-warning=ExperimentalWarning', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
    env: { PATH: process.env['PATH'] ?? '', ZAPIER_DEPLOY_KEY: 'none', NODE_EXTRA_CA_CERTS: authority },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const waiting = new Map<number, (reply: Reply) => void>();
  const receive = (id: number) => new Promise<Reply>((resolve) => waiting.set(id, resolve));
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`The build ended with ${code}:\n${printed}`)));
  });
  ended.catch(() => {});
  child.on('message', (reply: Reply) => waiting.get(reply.id)?.(reply));

  const started = await Promise.race([receive(0), ended]);
  let count = 0;
  const handle = async (event: PlatformEvent) => {
    count += 1;
    const reply = receive(count);
    child.send({ id: count, event });
    const { results, error } = await Promise.race([reply, ended]);
    if (error) throw Object.assign(new Error(error.message), { name: error.name, stack: error.stack ?? '' });
    return { results };
  };
  const stop = async (): Promise<void> => {
    child.removeAllListeners('exit');
    child.kill();
  };
  const platform = await startPlatform(handle, { stop });
  return { ...platform, nodeVersion: String(started.results), printed: () => printed };
}
