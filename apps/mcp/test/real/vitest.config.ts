// Clients and judges of the protocol that are fetched on demand, against the real service: `npm run test:mcp`. Apart
// from the fast tests.
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
