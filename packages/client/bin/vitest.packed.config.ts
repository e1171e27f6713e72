import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// The packed package, installed elsewhere, apart from the fast tests: `npm run test:packed`.
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['test/packed/*.packed.ts'],
    globalSetup: ['../testing/src/global-setup.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
});
