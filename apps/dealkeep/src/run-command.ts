import { isReadOnly, OperatorError, Problem, troubleOfFile } from '@dealkeep/core/foundations';
import { CommanderError } from 'commander';
import { ConfigurationError, configurationExit } from './configuration-error.ts';
import { Interrupted } from './interruption.ts';
import { oneLine } from './one-line.ts';
import { createProgram } from './program.ts';
import { refusalWords } from './refusal-words.ts';
import type { Surroundings } from './surroundings.ts';

/** EX_USAGE of sysexits.h. */
const usageExit = 64;

/**
 * Runs a command to its end; what comes of it stands in the `exitCode`, and on stderr in one line what went wrong.
 */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<void> {
  try {
    await createProgram(surroundings).parseAsync(args, { from: 'user' });
  } catch (error) {
    surroundings.exitCode = report(error, surroundings);
  }
}

/** One line about what went wrong; answers the exit code. */
function report(error: unknown, { env, stderr }: Surroundings): number {
  // commander has printed its help or its complaint already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageExit;
  if (error instanceof Interrupted) return error.exitCode;
  stderr.write(`${oneLine(sentenceOf(error, env))}\n`);
  return error instanceof ConfigurationError ? configurationExit : 1;
}

const takesNoWrites =
  'The database takes no writes: it is a standby, or was set to read only. Name the primary server in DATABASE_URL; `dealkeep doctor` says which of them it is';

function sentenceOf(error: unknown, { LOG_LEVEL: level }: NodeJS.ProcessEnv): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof OperatorError || error instanceof Problem) return refusalWords(error);
  if (isReadOnly(error)) return takesNoWrites;
  if (error instanceof ConfigurationError) return error.message;
  // An unexpected error shows its stack with LOG_LEVEL=debug or trace.
  if (level === 'debug' || level === 'trace') return error.stack ?? error.message;
  const { path, reason } = troubleOfFile(error) ?? {};
  return path === undefined ? error.message : `"${path}" ${reason}`;
}
