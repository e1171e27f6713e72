import { OperatorError } from './operator-error.ts';

const longest = 255;

/** A name given on the command line, trimmed: one line of 1 to 255 characters. Raises OperatorError. */
export function operatorName(option: string, text: string): string {
  const name = text.trim();
  if (name === '') throw new OperatorError(`${option} must not be empty`);
  if (/\p{Cc}/u.test(name)) throw new OperatorError(`${option} takes one line without control characters`);
  if ([...name].length > longest) throw new OperatorError(`${option} takes ${longest} characters at most`);
  return name;
}
