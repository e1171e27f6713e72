/** What is asked of a target's URL, again and again. */
export interface TargetAddress {
  readonly origin: string;
  readonly host: string;
  readonly pathname: string;
  readonly search: string;
}

const mostRemembered = 10_000;
const known = new Map<string, TargetAddress>();

/** Parses a target's URL once. Throws a TypeError for what is no URL. */
export function addressOf(target: string): TargetAddress {
  const remembered = known.get(target);
  if (remembered) return remembered;
  const { origin, host, pathname, search } = new URL(target);
  const address = { origin, host, pathname, search };
  known.set(target, address);
  const [oldest] = known.keys();
  if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
  return address;
}
