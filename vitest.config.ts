import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts'],
    globalSetup: ['packages/testing/src/global-setup.ts'],
    // Processes rather than threads: tests start servers, send signals and change their working directory.
    pool: 'forks',
    // Tests wait for PostgreSQL and for sockets; the default leaves one of two cores idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
  },
});
