// Zapier's own structural validation, then our own integration checks: `npm run validate`, or with `-- --auth api_key`.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { appHandler } from '../src/app-handler.ts';
import { checks, descriptionFindings, findingsOf } from '../src/checks/index.ts';
import { runCommandLine } from './run-command-line.ts';
import { stage, variantNamed } from './stage.ts';

const { values } = parseArgs({ options: { auth: { type: 'string', default: 'oauth2' } } });
const folder = await stage(variantNamed(values.auth));
try {
  await runCommandLine(['validate', '--without-style'], folder);
  const staged = await import(pathToFileURL(join(folder, 'integration.js')).href);
  const { results } = await appHandler(staged.default)({ command: 'definition', calledFromCli: true });
  const findings = [...findingsOf(results), ...descriptionFindings(manifest.description)];
  if (findings.length > 0) throw new Error(findings.join('\n'));
  console.log(`${checks.length + 1} integration checks passed.`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
