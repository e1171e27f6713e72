// What takes too long for every run: `npm run soak -- n8n`. Needs `npm run build:n8n` before.
import { join } from 'node:path';
import { testSettings } from '@dealkeep/testing/test-settings';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  test: {
    ...testSettings,
    include: ['**/*.soak.ts'],
    globalSetup: [
      join(import.meta.dirname, '../../../testing/src/global-setup.ts'),
      '../real/global-setup.ts',
    ],
    // One after another: they measure.
    maxWorkers: 1,
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    disableConsoleIntercept: true,
  },
});
