import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests whose code keeps state of its own in the process: each file runs alone. */
const alone = ['packages/embedded-postgres/test/**/*.test.ts', 'packages/zapier/test/**/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['packages/testing/src/global-setup.ts'],
    setupFiles: ['packages/testing/src/file-setup.ts'],
    // Processes rather than threads: tests start servers, send signals and change their working directory.
    pool: 'forks',
    // Tests wait for PostgreSQL and for sockets; the default leaves one of two cores idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts'],
          exclude: alone,
          // Files share what they import: loading it anew for each would be a third of the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
