import { join } from 'node:path';
import { testSettings } from '@dealkeep/testing/test-settings';
import { defineConfig } from 'vitest/config';

// The packed package, installed elsewhere, apart from the fast tests: `npm run test:packed`.
export default defineConfig({
  test: {
    ...testSettings,
    root: join(import.meta.dirname, '..'),
    include: ['test/packed/*.packed.ts'],
    globalSetup: ['../testing/src/global-setup.ts'],
  },
});
