// What CONTRIBUTING.md says of a new field, done: a field `priority` of leads is added to a copy of the repository,
// by its contract, its migration, one line of its record and what an erasure makes of it; the rest is generated;
// then `priority.test.ts` reads the field back through every surface and every way to write, and the inventories of
// the copy say whether a place was forgotten.
import { rm } from 'node:fs/promises';
import { run } from '@dealkeep/tooling';
import { copyWithPriority } from './copy-with-priority.ts';

/**
 * Where tests walk the contract, the tables, the documents and what is generated, and miss what is not said there.
 */
const inventories = [
  'apps/console/test/records',
  'apps/dealkeep/test',
  'apps/mcp',
  'packages/activepieces',
  'packages/client',
  'packages/connectors',
  'packages/contract',
  'packages/core/test/database',
  'packages/core/test/erasing/columns',
  'packages/core/test/erasing/fields',
  'packages/core/test/imports',
  'packages/core/test/moving',
  'packages/n8n-nodes-dealkeep/test/generated',
  'packages/zapier/test/contract-drift',
  'packages/zapier/test/samples',
];

const copy = await copyWithPriority();
try {
  const node = (...args: readonly string[]) => run(process.execPath, [...args], copy);
  await node('packages/n8n-nodes-dealkeep/scripts/generate.ts');
  await node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json');
  const vitest = (...args: readonly string[]) => node('node_modules/vitest/vitest.mjs', 'run', ...args);
  await vitest('--config', 'apps/dealkeep/walks/field/vitest.config.ts');
  // It shows answers of the API as they went.
  await vitest('apps/mcp/test/evaluation', '--update');
  await vitest('--mode', 'quick', ...inventories);
} finally {
  await rm(copy, { recursive: true, force: true });
}
