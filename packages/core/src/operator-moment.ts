import { OperatorError } from './operator-error.ts';

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** A date and time given on the command line (RFC 3339). Raises OperatorError. */
export function operatorMoment(option: string, text: string): Date {
  const date = new Date(text);
  if (rfc3339.test(text) && !Number.isNaN(date.getTime())) return date;
  throw new OperatorError(`${option} takes a date and time such as 2027-01-31T00:00:00Z, not "${text}"`);
}
