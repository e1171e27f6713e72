// Runs in the copy that `walk.ts` makes, where leads have a priority.
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const testing = join(import.meta.dirname, '../../../packages/testing/src');

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['priority.test.ts'],
    globalSetup: [join(testing, 'global-setup.ts')],
    setupFiles: [join(testing, 'file-setup.ts')],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
