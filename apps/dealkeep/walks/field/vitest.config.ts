// Runs in the copy that `walk.ts` makes, where leads have a priority.
import { join } from 'node:path';
import { testSettings } from '@dealkeep/testing/test-settings';
import { defineConfig } from 'vitest/config';

const testing = join(import.meta.dirname, '../../../../packages/testing/src');

export default defineConfig({
  root: import.meta.dirname,
  test: {
    ...testSettings,
    include: ['priority.test.ts'],
    globalSetup: [join(testing, 'global-setup.ts')],
    setupFiles: [join(testing, 'file-setup.ts')],
  },
});
