/**
 * How an operator gets further. Whoever asks for one knows the words: a command line names its commands and options.
 */
export type OperatorHelp =
  | { readonly shown: 'organizations' | 'keys' | 'oauth-apps' | 'webhooks' }
  | { readonly made: 'owner' }
  | { readonly given: 'organization' }
  | { readonly verified: { readonly email: string; readonly organization: string } }
  | { readonly again: 'migrate' }
  | { readonly before: 'migrate' }
  | { readonly first: 'migrate' }
  /** Allows what is refused otherwise. */
  | { readonly allowed: 'change_environment' | 'without_key' | 'unchecked' }
  /** An organization that has moved, where it was before. */
  | { readonly taken_back: string };

interface About {
  /** What was given wrongly; the sentence goes on from its name. */
  readonly field?: string;
  readonly help?: OperatorHelp;
}

/**
 * Something that the operator asked for cannot be done, for a reason that no user of an organization can have (those
 * are Problems); the sentence says why, in English. Knows nothing of a command line.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly sentence: string;
  readonly field: string | undefined;
  readonly help: OperatorHelp | undefined;

  constructor(sentence: string, { field, help }: About = {}) {
    super(field === undefined ? sentence : `${field} ${sentence}`);
    this.sentence = sentence;
    this.field = field;
    this.help = help;
  }
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** A date and time that an operator gave (RFC 3339). Raises OperatorError. */
export function operatorMoment(field: string, text: string): Date {
  const date = new Date(text);
  if (rfc3339.test(text) && !Number.isNaN(date.getTime())) return date;
  throw new OperatorError(`takes a date and time such as 2027-01-31T00:00:00Z, not "${text}"`, { field });
}

const longest = 255;

/** A name that an operator gave, trimmed: one line of 1 to 255 characters. Raises OperatorError. */
export function operatorName(text: string, field = 'name'): string {
  const name = text.trim();
  if (name === '') throw new OperatorError('must not be empty', { field });
  if (/\p{Cc}/u.test(name)) throw new OperatorError('takes one line without control characters', { field });
  if ([...name].length > longest) throw new OperatorError(`takes ${longest} characters at most`, { field });
  return name;
}
