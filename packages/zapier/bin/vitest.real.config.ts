import { join } from 'node:path';
import { testSettings } from '@dealkeep/testing/test-settings';
import { defineConfig } from 'vitest/config';

// The unzipped build on Node 22 against a service of its own, apart from the fast tests: `npm run test:real`.
export default defineConfig({
  test: {
    ...testSettings,
    root: join(import.meta.dirname, '..'),
    include: ['test/real/**/*.real.ts'],
  },
});
