// `npm run soak -- NAME …`: what takes too long for every run.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

const soaks: Readonly<Record<string, readonly string[]>> = {
  deliveries: [process.execPath, 'packages/core/soak/main.ts', 'deliveries'],
  n8n: ['npm', 'run', 'soak', '--workspace', 'n8n-nodes-dealkeep', '--'],
};

const [name = '', ...rest] = process.argv.slice(2);
const [command, ...given] = soaks[name] ?? [];
if (command === undefined) {
  process.stderr.write(
    'Usage: npm run soak -- deliveries [--minutes N | --kills N]\n       npm run soak -- n8n [FILE]\n',
  );
  process.exit(64);
}
const child = spawn(command, [...given, ...rest], { cwd: root, stdio: 'inherit' });
// The terminal's Ctrl-C reaches the child itself; it ends in order, and this with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
