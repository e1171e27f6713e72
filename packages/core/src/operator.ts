import { Problem } from './problem.ts';

/** Runs work for an operator: what is refused is said in one line, beginning with the option that it is about. */
export async function asOperator<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem) throw new OperatorError(sentenceOf(error));
    throw error;
  }
}

function sentenceOf(problem: Problem): string {
  const { message, detail } = problem.body('en').error;
  const [first]: { path: string; message: string }[] = problem.fields ? Object(detail).fields : [];
  return first ? `--${first.path}: ${first.message}` : message;
}

/** Something that the operator asked for cannot be done; the sentence says why and what would help. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** A date and time given on the command line (RFC 3339). Raises OperatorError. */
export function operatorMoment(option: string, text: string): Date {
  const date = new Date(text);
  if (rfc3339.test(text) && !Number.isNaN(date.getTime())) return date;
  throw new OperatorError(`${option} takes a date and time such as 2027-01-31T00:00:00Z, not "${text}"`);
}

const longest = 255;

/** A name given on the command line, trimmed: one line of 1 to 255 characters. Raises OperatorError. */
export function operatorName(option: string, text: string): string {
  const name = text.trim();
  if (name === '') throw new OperatorError(`${option} must not be empty`);
  if (/\p{Cc}/u.test(name)) throw new OperatorError(`${option} takes one line without control characters`);
  if ([...name].length > longest) throw new OperatorError(`${option} takes ${longest} characters at most`);
  return name;
}
