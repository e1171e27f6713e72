// `npm run bench -- NAME [options]`: each benchmark is a program of its package, in a process of its own.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const programs: Readonly<Record<string, string>> = {
  api: 'api.ts',
  backup: 'backup.ts',
  console: 'console.ts',
  deliveries: '../../../packages/core/bench/main.ts',
  growth: '../../../packages/core/bench/main.ts',
  migrations: 'migrations.ts',
  organizations: 'organizations.ts',
  retention: 'retention.ts',
};

const [name = '', ...options] = process.argv.slice(2);
const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
if (program === undefined) {
  process.stderr.write(`Usage: npm run bench -- ${Object.keys(programs).join('|')} [--json]\n`);
  process.exit(64);
}
const path = fileURLToPath(new URL(program, import.meta.url));
const benchmark = spawnSync(process.execPath, [path, name, ...options], { stdio: 'inherit' });
process.exitCode = benchmark.status ?? 1;
