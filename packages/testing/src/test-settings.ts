import type { InlineConfig } from 'vitest/node';

/** The mode of a run (`--mode`) without the files that take long. */
export const quickRun = 'quick';

/** How every run of tests is, beside which files it has. */
export const testSettings: InlineConfig = {
  // Processes rather than threads: tests start servers, send signals and change their working directory.
  pool: 'forks',
  // Node reads TypeScript by itself, as it does in production; Vite would translate each file anew after an
  // installation.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // n8n's package says no type: n8n loads it as CommonJS.
  execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
  silent: 'passed-only',
  // They only end what hangs: far beyond what a test takes where others use the machine as well, and beyond each
  // wait in it.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  teardownTimeout: 60_000,
};
