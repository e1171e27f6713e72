// The console in Debian's Chromium, against the real service: `npm run test:console`. Apart from the fast tests.
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const testing = join(import.meta.dirname, '../../../../packages/testing/src');

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['**/*.real.ts'],
    globalSetup: [join(testing, 'global-setup.ts'), 'chromium-setup.ts'],
    setupFiles: [join(testing, 'file-setup.ts')],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
});
