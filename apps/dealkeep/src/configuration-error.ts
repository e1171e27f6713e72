import { WrongInstallation } from '@dealkeep/core';
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

/** Runs work on a database; what is set for another one than this is said as what is wrong with the configuration. */
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
