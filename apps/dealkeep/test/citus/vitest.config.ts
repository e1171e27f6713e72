// The tests of core and API where records are distributed: `npm run test:citus`.
import { join } from 'node:path';
import { testSettings } from '@dealkeep/testing/test-settings';
import { defineConfig } from 'vitest/config';
import { leftOutFiles, leftOutTests } from './left-out.ts';

const root = join(import.meta.dirname, '../../../..');
const testing = join(root, 'packages/testing/src');

export default defineConfig({
  root,
  test: {
    ...testSettings,
    include: ['packages/core/test/**/*.test.ts', 'apps/api/test/**/*.test.ts'],
    exclude: Object.keys(leftOutFiles),
    testNamePattern: new RegExp(`^(?!.*(?:${Object.keys(leftOutTests).join('|')})(?: \\(rules? [^)]+\\))?$)`),
    globalSetup: [join(testing, 'citus/global-setup.ts')],
    setupFiles: [join(testing, 'file-setup.ts')],
    maxWorkers: 2,
    isolate: false,
  },
});
