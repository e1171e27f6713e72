// The program behind a real PgBouncer: `npm run test:pooler` (Debian: `apt-get install pgbouncer`). Apart from the fast tests.
import { join } from 'node:path';
import { testSettings } from '@dealkeep/testing/test-settings';
import { defineConfig } from 'vitest/config';

const testing = join(import.meta.dirname, '../../../../packages/testing/src');

export default defineConfig({
  root: import.meta.dirname,
  test: {
    ...testSettings,
    include: ['**/*.real.ts'],
    globalSetup: [join(testing, 'global-setup.ts')],
    setupFiles: [join(testing, 'file-setup.ts')],
  },
});
