import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// The unzipped build on Node 22 against a service of its own, apart from the fast tests: `npm run test:real`.
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['test/real/**/*.real.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
