import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { OperatorError, troubleOfFile } from '@dealkeep/core/foundations';
import { WrongInstallation } from '@dealkeep/core/installation';
import { installationWords } from './refusal-words.ts';

/** EX_CONFIG of sysexits.h. */
export const configurationExit = 78;

/** The environment does not say what is needed; the sentence names the variable and what it accepts. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(variable: string, sentence: string) {
    super(`${variable} ${sentence}`);
  }
}

/**
 * Runs work on a database; what is set for another one than this is said as what is wrong with the configuration.
 */
export async function asConfigured<Result>(
  { secretsKey }: { secretsKey: string | undefined },
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof WrongInstallation)) throw error;
    // Without SECRETS_KEY it is the key that was generated beside the embedded database.
    const isGenerated = error.variable === 'SECRETS_KEY' && secretsKey === undefined;
    throw new ConfigurationError(
      isGenerated ? 'DATA_DIR' : error.variable,
      isGenerated
        ? 'holds a secrets-key that the database in it was not encrypted with: restore both from one backup; `dealkeep secrets forget` is for a key that is lost'
        : installationWords(error),
    );
  }
}

/**
 * Does something in DATA_DIR. Raises ConfigurationError for a folder that will not do however often it is tried, and
 * OperatorError for what may pass, as a full disk.
 */
export async function inDataFolder<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const trouble = troubleOfFile(error);
    if (!trouble) throw error;
    const { path = dataDir, reason, isFull, isLasting } = trouble;
    // What else a start needs stands elsewhere, as copies of PostgreSQL's programs.
    const real = await realpath(dataDir).catch(() => dataDir);
    if (![dataDir, real].some((folder) => isAbove(folder, path) || isAbove(path, folder))) throw error;
    if (isLasting) throw new ConfigurationError('DATA_DIR', `leads to "${path}", which ${reason}`);
    const what = isFull ? 'has no room: make room on its disk, but delete nothing in DATA_DIR' : reason;
    throw new OperatorError(`DATA_DIR leads to "${path}", which ${what}`);
  }
}

/** Whether a path leads into a folder, or to it. */
const isAbove = (folder: string, path: string): boolean =>
  relative(resolve(folder), resolve(path)).split(sep)[0] !== '..';
