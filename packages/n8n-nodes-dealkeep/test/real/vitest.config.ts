// The package in real n8n, against the real API. Needs `npm run build` before; fetches n8n itself once (2.2 GB).
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const testing = join(import.meta.dirname, '../../../testing/src/global-setup.ts');

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['**/*.real.ts'],
    globalSetup: [testing, 'global-setup.ts'],
    pool: 'forks',
    // One n8n serves all files.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
});
