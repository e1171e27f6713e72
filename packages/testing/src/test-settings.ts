/** How every run of tests is, beside which files it has. */
export const testSettings = {
  // Processes rather than threads: tests start servers, send signals and change their working directory.
  pool: 'forks',
  // They only end what hangs: far beyond what a test takes where others use the machine as well, and beyond each wait in it.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  teardownTimeout: 60_000,
} as const;
