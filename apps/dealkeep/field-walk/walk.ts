// What CONTRIBUTING.md says of a new field, done: a field `priority` of leads is added to a copy of the repository,
// by its contract, its migration and one line of its record; the rest is generated; then `priority.test.ts` reads
// the field back through every surface and every way to write.
import { rm } from 'node:fs/promises';
import { run } from '@dealkeep/tooling';
import { copyWithPriority } from './copy-with-priority.ts';

const copy = await copyWithPriority();
try {
  const node = (...args: readonly string[]) => run(process.execPath, [...args], copy);
  await node('packages/n8n-nodes-dealkeep/scripts/generate.ts');
  await node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json');
  const vitest = (...args: readonly string[]) => node('node_modules/vitest/vitest.mjs', 'run', ...args);
  await vitest('--config', 'apps/dealkeep/field-walk/vitest.config.ts');
  // The connectors' own tests hold them against the contract, whatever it says.
  await vitest('packages/zapier/test/contract-drift', 'packages/zapier/test/samples');
  await vitest('packages/n8n-nodes-dealkeep/test/generated');
} finally {
  await rm(copy, { recursive: true, force: true });
}
