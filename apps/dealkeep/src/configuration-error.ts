/** EX_CONFIG of sysexits.h. */
export const configurationExit = 78;

/** The environment does not say what is needed; the sentence names the variable and what it accepts. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(variable: string, sentence: string) {
    super(`${variable} ${sentence}`);
  }
}
