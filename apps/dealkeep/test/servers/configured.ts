import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const documents = join(import.meta.dirname, '../../../../docs/scaling');

/**
 * A configuration of `docs/scaling` as it is, but for what each machine has of its own: texts that it must have, and
 * what stands there instead.
 */
export async function documented(
  file: string,
  own: readonly (readonly [there: string, here: string])[],
): Promise<string> {
  let text = await readFile(join(documents, file), 'utf8');
  // Marked first: a port that is put in may begin like one that is still to be replaced.
  for (const [at, [there]] of own.entries()) {
    if (!text.includes(there)) throw new Error(`docs/scaling/${file} lacks this: ${there}`);
    text = text.replaceAll(there, `\0${at}\0`);
  }
  return own.reduce((marked, [, here], at) => marked.replaceAll(`\0${at}\0`, () => here), text);
}

/** Servers refuse to run as root. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
export const asNobody = isRoot ? { uid: nobody, gid: nobody } : {};

/** A folder with these files, of whom servers run as; it goes with the test. */
export async function folderOfServer(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-server-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  for (const path of [folder, ...Object.keys(files).map((name) => join(folder, name))]) {
    if (isRoot) await chown(path, nobody, nobody);
    await chmod(path, 0o700);
  }
  return folder;
}

export interface Server {
  child: ChildProcess;
  /** Sends the signal, and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a server of Debian's and waits until it says that it is ready. It ends with the test. */
export async function startServer(
  command: string,
  args: readonly string[],
  { ready, stop }: { ready: RegExp; stop: NodeJS.Signals },
): Promise<Server> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: `${process.env['PATH']}:/usr/sbin` },
    ...asNobody,
  });
  const ended = once(child, 'close');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  onTestFinished(() => end(stop));
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`${command} is missing: apt-get install it`, { cause })));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (ready.test(said)) resolve();
    });
    child.once('close', (code) => reject(new Error(`${command} ended with ${code}: ${said}`)));
  });
  return { child, end };
}
