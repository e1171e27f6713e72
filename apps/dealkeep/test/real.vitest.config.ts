// The program beside other servers, apart from the fast tests: `npm run test:pooler`, `npm run test:several`
// (Debian: `apt-get install postgresql pgbouncer haproxy`), `npm run test:citus`.
import { join } from 'node:path';
import { testSettings } from '@dealkeep/testing/test-settings';
import { defineConfig } from 'vitest/config';

const testing = join(import.meta.dirname, '../../../packages/testing/src');

export default defineConfig({
  root: import.meta.dirname,
  test: {
    ...testSettings,
    // Whatever drains and starts a dozen processes takes a minute, on a machine that others use as well some.
    testTimeout: 480_000,
    // They tell their figures.
    disableConsoleIntercept: true,
    include: ['**/*.real.ts'],
    globalSetup: [join(testing, 'global-setup.ts')],
    setupFiles: [join(testing, 'file-setup.ts')],
  },
});
