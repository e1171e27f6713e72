// Zapier's own structural validation, then our own integration checks, what the contract has more, and what the
// version may not change: `npm run validate`, or with `-- --auth api_key`.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { events, operations, resources } from '@dealkeep/contract';
import manifest from '../package.json' with { type: 'json' };
import { variants } from '../src/index.ts';
import { driftFindings } from './checks/contract-drift.ts';
import { checks, Definition, descriptionFindings, findingsOf } from './checks/index.ts';
import { wholeDefinition } from './checks/whole-definition.ts';
import { releaseFindings } from './release/release-findings.ts';
import { readChangelog, releasedDefinition } from './release/released.ts';
import { surfaceOf } from './release/surface.ts';
import { runCommandLine } from './run-command-line.ts';
import { stage, variantNamed } from './stage.ts';

const { values } = parseArgs({ options: { auth: { type: 'string', default: 'oauth2' } } });
const name = variantNamed(values.auth);
const { reaches } = variants[name];
const folder = await stage(name);
try {
  await runCommandLine(['validate', '--without-style'], folder);
  const staged = await import(pathToFileURL(join(folder, 'integration.js')).href);
  const results = await wholeDefinition(staged.default);
  const definition = Definition.parse(results);
  const next = { version: manifest.version, surface: surfaceOf(definition) };
  const findings = [
    ...findingsOf(results),
    ...descriptionFindings(manifest.description),
    ...driftFindings(definition, { operations, events, resources }, reaches),
    ...releaseFindings(await releasedDefinition(name), next, await readChangelog()),
  ];
  if (findings.length > 0) throw new Error(findings.join('\n'));
  console.log(`${checks.length + 1} integration checks passed.`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
