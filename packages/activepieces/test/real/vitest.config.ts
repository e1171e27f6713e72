// The built piece, as a release of the platform installs and runs it, against the real API. Needs `npm run build`
// before.
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
    maxWorkers: 2,
  },
});
