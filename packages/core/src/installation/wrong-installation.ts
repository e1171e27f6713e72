/** What a start is refused with that is configured for another database than this one. */
export class WrongInstallation extends Error {
  override readonly name = 'WrongInstallation';
  /** The variable that is to be mended. */
  readonly variable: 'ENVIRONMENT' | 'SECRETS_KEY';
  /** What it takes here, without its name. */
  readonly sentence: string;

  constructor(variable: 'ENVIRONMENT' | 'SECRETS_KEY', sentence: string) {
    super(`${variable} ${sentence}`);
    this.variable = variable;
    this.sentence = sentence;
  }
}
