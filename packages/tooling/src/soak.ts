// `npm run soak -- NAME …`: what takes too long for every run.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

const properties = 'apps/api/test/properties.long.test.ts';
const soaks: Readonly<Record<string, readonly string[]>> = {
  deliveries: [process.execPath, 'packages/core/soak/main.ts', 'deliveries'],
  inputs: [
    process.execPath,
    ...'node_modules/vitest/vitest.mjs run --testTimeout=900000'.split(' '),
    properties,
  ],
  n8n: ['npm', 'run', 'soak', '--workspace', 'n8n-nodes-dealkeep', '--'],
};

const [name = '', ...rest] = process.argv.slice(2);
const [command, ...given] = soaks[name] ?? [];
if (command === undefined) {
  process.stderr.write(
    'Usage: npm run soak -- deliveries [--minutes N | --kills N] [--installations N]\n       npm run soak -- inputs\n       npm run soak -- n8n [FILE]\n',
  );
  process.exit(64);
}
// So often each property is tried, unless it is said.
const env = { PROPERTY_RUNS: '400', ...process.env };
const child = spawn(command, [...given, ...rest], { cwd: root, stdio: 'inherit', env });
// The terminal's Ctrl-C reaches the child itself; it ends in order, and this with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
