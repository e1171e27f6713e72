// What CONTRIBUTING.md says of a new kind of record, done: vehicles are added to a copy of the repository, in as few
// places as it counts; the rest is generated; then the test that is added with them reads them back through
// every surface, and inventories of the copy say whether a place was forgotten.
import { rm } from 'node:fs/promises';
import { run } from '@dealkeep/tooling';
import { copyWithVehicles, mostPlaces } from './copy-with-vehicles.ts';

/** Tests that walk the contract, the tables and what is generated, and miss what is not said there. */
const inventories = [
  'apps/console/test/presentation.test.ts',
  'apps/console/test/frame.test.ts',
  'apps/dealkeep/test/export.test.ts',
  'packages/client/test/every-operation',
  'packages/contract/test/connector-facts',
  'packages/contract/test/references',
  'packages/contract/test/rules-tables',
  'packages/contract/test/texts',
  'packages/contract/test/bounds',
  'packages/core/test/demo/reset-tables',
  'packages/core/test/erasing/columns',
  'packages/core/test/erasing/fields',
  'packages/core/test/erasing/no-trace',
  'packages/n8n-nodes-dealkeep/test/generated',
  'packages/n8n-nodes-dealkeep/test/wanted-events',
  'packages/zapier/test/contract-drift',
  'packages/zapier/test/every-action',
  'packages/zapier/test/every-search',
  'packages/zapier/test/samples',
];

const { copy, places } = await copyWithVehicles();
try {
  for (const place of places) process.stdout.write(`${place.join('\n  ')}\n`);
  if (places.length > mostPlaces) {
    throw new Error(`A kind of record takes ${places.length} places, and may take ${mostPlaces}`);
  }
  const node = (...args: readonly string[]) => run(process.execPath, [...args], copy);
  const vitest = (...args: readonly string[]) => node('node_modules/vitest/vitest.mjs', 'run', ...args);
  await node('packages/n8n-nodes-dealkeep/scripts/generate.ts');
  await node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json');
  // The table of the guide is written as the contract and the erasure have it.
  await vitest('packages/core/test/erasing/document', '--update');
  await vitest('--mode', 'quick', 'apps/dealkeep/test/vehicles', ...inventories);
} finally {
  await rm(copy, { recursive: true, force: true });
}
