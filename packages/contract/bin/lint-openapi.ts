// Holds the OpenAPI description against the recommended rules of Redocly and Spectral: no error, no warning. Both are
// fetched on demand.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openapiDocument } from '@dealkeep/contract';
import { cachedInstall } from '@dealkeep/tooling';

const redocly = '2.77.0';
const spectral = '6.16.3';

const tools = await cachedInstall({
  name: `openapi-linters-${redocly}-${spectral}`,
  dependencies: { '@redocly/cli': redocly, '@stoplight/spectral-cli': spectral },
});
const folder = await mkdtemp(join(tmpdir(), 'dealkeep-openapi-'));
try {
  const file = join(folder, 'public-v1.json');
  await writeFile(file, JSON.stringify(openapiDocument('https://crm.dealkeep.example'), null, 2));
  await writeFile(join(folder, 'redocly.yaml'), 'extends:\n  - recommended\n');
  await writeFile(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
  const results = [
    lint('redocly', ['lint', '--config', 'redocly.yaml', '--format', 'stylish', file], 'warning'),
    lint('spectral', ['lint', '--ruleset', 'spectral.yaml', '--fail-severity', 'warn', file], undefined),
  ];
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Runs a linter; `refused` is a word of its report that fails it besides its exit code. */
function lint(tool: string, args: string[], refused: string | undefined): boolean {
  const run = spawnSync(join(tools, 'node_modules', '.bin', tool), args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
  });
  const report = `${run.stdout}${run.stderr}`;
  process.stdout.write(`--- ${tool}\n${report}\n`);
  return run.status === 0 && !(refused && new RegExp(`\\b[1-9]\\d* ${refused}`).test(report));
}
