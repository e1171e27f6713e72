import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import RunReporter from '@dealkeep/testing/run-reporter';
import { quickRun, testSettings } from '@dealkeep/testing/test-settings';
import { configDefaults, defineConfig } from 'vitest/config';

/** Tests whose code keeps state of its own in the process: each file runs alone. */
const alone = ['packages/embedded-postgres/test/**/*.test.ts'];
/** The platform's core changes the process that it runs in, so its tests have processes to themselves. */
const onThePlatform = ['packages/zapier/test/**/*.test.ts'];
/** What tests read or start without importing it: after a change of these, `--changed` runs everything. */
const notImported = ['**/!(*.ts)', '**/{packages,apps}/*/!(src|test)/**'];
/** Programs that are killed, backups, moves, large tables, whole matrices. */
const long = '**/*.long.test.ts';

export default defineConfig(({ mode }) => {
  const leftOut = mode === quickRun ? [long] : [];
  return {
    test: {
      ...testSettings,
      reporters: [new RunReporter()],
      forceRerunTriggers: [...notImported, ...configDefaults.forceRerunTriggers],
      globalSetup: ['packages/testing/src/global-setup.ts'],
      setupFiles: ['packages/testing/src/file-setup.ts'],
      // Processes that tests start compile what they import once, not each of them.
      env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
      // Tests wait for PostgreSQL, for sockets and for programs; with two at once two cores idle for a sixth of the time.
      maxWorkers: Math.max(3, availableParallelism() - 1),
      projects: [
        {
          extends: true,
          test: {
            name: 'together',
            include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts'],
            exclude: [...alone, ...onThePlatform, ...leftOut],
            // Files share what they import: loading it anew for each would be a third of the time.
            isolate: false,
          },
        },
        {
          extends: true,
          test: { name: 'on the platform', include: onThePlatform, exclude: leftOut, isolate: false },
        },
        { extends: true, test: { name: 'alone', include: alone, exclude: leftOut } },
      ],
    },
  };
});
