import './heap-limits.ts';
import { OperatorError } from '@dealkeep/core';
import { CommanderError } from 'commander';
import { ConfigurationError, configurationExit } from './configuration-error.ts';
import { Interrupted } from './interruption.ts';
import { oneLine } from './one-line.ts';
import { createProgram } from './program.ts';

/** EX_USAGE of sysexits.h. */
const usageExit = 64;

// `dealkeep … | head` closes the pipe early; that is no error.
process.stdout.on('error', () => {});
try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
// Ends the process, because something that is still open (a pool that lost its server, say) would keep a finished
// command alive.
process.exit();

/** One line about what went wrong; answers the exit code. */
function report(error: unknown): number {
  // commander has printed its help or its complaint already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageExit;
  if (error instanceof Interrupted) return error.exitCode;
  process.stderr.write(`${oneLine(sentenceOf(error))}\n`);
  return error instanceof ConfigurationError ? configurationExit : 1;
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { LOG_LEVEL: level } = process.env;
  const known = error instanceof ConfigurationError || error instanceof OperatorError;
  // Of a fault of ours the stack, where somebody asked for details by LOG_LEVEL.
  return !known && (level === 'debug' || level === 'trace') ? (error.stack ?? error.message) : error.message;
}
