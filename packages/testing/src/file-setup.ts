import { afterAll } from 'vitest';
import { type Cost, costSince, costSoFar, requireQuick } from './cost.ts';
import { countDatabases, dropDatabases } from './database.ts';
// What nearly every file imports is loaded before the first of them, so that none is charged with it.
import './index.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Of a test file. */
    cost?: Cost;
  }
}

await countDatabases();
const before = costSoFar();

// Registered before the test file is collected, so they run after all of that file's own hooks.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from it that no fixture is asked for.
afterAll(async ({}, file) => {
  await countDatabases();
  const now = costSoFar();
  if (!before || !now) return;
  const cost = costSince(before, now);
  file.meta.cost = cost;
  requireQuick(file.file.filepath, cost);
});
afterAll(dropDatabases);
