import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { commandLineFolder, node22 } from './zapier-tooling.ts';

/** Runs Zapier's command line in a folder, offline, on the Node that Zapier uses. Rejects when it fails. */
export async function runCommandLine(args: readonly string[], cwd: string): Promise<void> {
  const entry = join(await commandLineFolder(), 'node_modules', 'zapier-platform-cli', 'src', 'bin', 'run');
  const child = spawn(await node22(), [entry, ...args], {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DISABLE_ZAPIER_ANALYTICS: '1', NO_UPDATE_NOTIFIER: '1' },
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`zapier-platform ${args.join(' ')} ended with ${code}.`)),
    );
  });
}
