import { OperatorError } from '@dealkeep/core';
import { CommanderError } from 'commander';
import { ConfigurationError, configurationExit } from './configuration-error.ts';
import { createProgram } from './program.ts';

/** EX_USAGE of sysexits.h. */
const usageExit = 64;

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
// What is still open (a pool that lost its server, say) must not keep a finished command alive.
process.exit();

/** One line for what an operator can mend; the whole error for a fault. Answers the exit code. */
function report(error: unknown): number {
  // commander has printed its help or its complaint already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageExit;
  if (error instanceof ConfigurationError) {
    process.stderr.write(`${error.message}\n`);
    return configurationExit;
  }
  if (error instanceof OperatorError) {
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}
