// The program beside other servers, apart from the fast tests: `npm run test:pooler`, `npm run test:several`
// (Debian: `apt-get install postgresql pgbouncer haproxy`).
import { join } from 'node:path';
import { testSettings } from '@dealkeep/testing/test-settings';
import { defineConfig } from 'vitest/config';

const testing = join(import.meta.dirname, '../../../packages/testing/src');

export default defineConfig({
  root: import.meta.dirname,
  test: {
    ...testSettings,
    // They tell their figures.
    disableConsoleIntercept: true,
    include: ['**/*.real.ts'],
    globalSetup: [join(testing, 'global-setup.ts')],
    setupFiles: [join(testing, 'file-setup.ts')],
  },
});
