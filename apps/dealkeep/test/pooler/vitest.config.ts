// The program behind a real PgBouncer: `npm run test:pooler` (Debian: `apt-get install pgbouncer`). Apart from the fast tests.
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const testing = join(import.meta.dirname, '../../../../packages/testing/src');

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['**/*.real.ts'],
    globalSetup: [join(testing, 'global-setup.ts')],
    setupFiles: [join(testing, 'file-setup.ts')],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
});
