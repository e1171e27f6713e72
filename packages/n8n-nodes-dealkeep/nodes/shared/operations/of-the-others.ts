import type { ApiFailure } from '../failure.ts';
import type { Outcome } from './run-alone.ts';

/** Of more failing items than these the rest is counted. */
const mostNamed = 10;

/**
 * What became of the other items when one of a batch stops the workflow, for whom has to decide what to run again.
 *
 * @param part what became of the items that were sent with it
 * @param items how many there are in all
 */
export function ofTheOthers(failure: ApiFailure, part: readonly Outcome[], items: number): string {
  const failed = part.filter((each) => 'error' in each);
  const [first, last] = [part[0]?.item ?? 0, part.at(-1)?.item ?? 0];
  const rest = last + 1 < items ? `, those from ${last + 1} on were not sent` : '';
  const together = failed.length > 1 && failed.every((each) => each.error === failure);
  const advice =
    'Items are counted from 0. Set On Error to Continue, and each item has its own result or its own error.';
  if (!together) {
    const others = failed.slice(1).map(({ item }) => item);
    const except = others.length > 0 ? ` except ${listed(others)}, which failed too` : '';
    return [`The other items up to ${last} are done${except}${rest}.`, advice].join(' ');
  }
  const before = first > 0 ? ', those before are done' : '';
  const answered = failure.status !== undefined && failure.status < 500;
  const done = answered
    ? 'none of them is done'
    : 'nobody knows whether they are done (Retry On Fail does none of them twice)';
  return [`Items ${first} to ${last} were sent together and ${done}${before}${rest}.`, advice].join(' ');
}

function listed(items: readonly number[]): string {
  const named = items.slice(0, mostNamed).map(String);
  const more = items.length - named.length;
  const last = more > 0 ? [more, 'others'].join(' ') : named.pop();
  return named.length === 0 ? String(last) : `${named.join(', ')} and ${last}`;
}
