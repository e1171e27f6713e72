// The package in real n8n, against the real API. Needs `npm run build` before; fetches n8n itself once (2.2 GB).
import { join } from 'node:path';
import { testSettings } from '@dealkeep/testing/test-settings';
import { defineConfig } from 'vitest/config';

const testing = join(import.meta.dirname, '../../../testing/src/global-setup.ts');

export default defineConfig({
  root: import.meta.dirname,
  test: {
    ...testSettings,
    include: ['**/*.real.ts'],
    globalSetup: [testing, 'global-setup.ts'],
    // One n8n serves all files.
    maxWorkers: 2,
  },
});
