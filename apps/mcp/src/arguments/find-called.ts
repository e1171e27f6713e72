import type { Reference } from '@dealkeep/contract';
import { type Candidate, type Candidates, called, filtersFor, isChosen, qualified } from './candidates.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a name can mean. */
export interface Found {
  /** Those that are called so. */
  readonly exactly: readonly Candidate[];
  /**
   * What comes near, where none is; all that there is to choose from, where that is a list of the organization's
   * own.
   */
  readonly near: readonly Candidate[];
  /** So many come near that not all were read: others could be called so, too. */
  readonly isPart: boolean;
}

/** No name is longer. */
const longestName = 300;
const shortestWord = 3;

/**
 * Looks a name up: one question to the list in most cases, a second one for a number, and others only for what comes
 * near where nothing is called so.
 *
 * @param ask answers what the list has by these filters
 * @param inUse the filters that leave out what was put away
 */
export async function findCalled(
  reference: Reference,
  given: string,
  ask: (filters: Values) => Promise<Candidates>,
  inUse: Values,
): Promise<Found> {
  if (given.length > longestName) return { exactly: [], near: [], isPart: false };
  const isList = isChosen(reference);
  if (reference.items !== undefined) {
    const { found, isPart } = await ask({});
    return { exactly: called(found, given), near: found, isPart };
  }
  const keyed = filtersFor(reference, given);
  if (!keyed.includes('email')) {
    const { found, isPart } = await ask({ q: qualified(given).name, ...inUse });
    const exactly = called(found, given);
    if (exactly.length > 0 || isPart) return { exactly, near: found, isPart };
    if (found.length > 0 && keyed.length === 0 && !isList) return { exactly, near: found, isPart };
  }
  for (const filter of keyed) {
    const { found, isPart } = await ask({ [filter]: given, ...inUse });
    if (found.length > 0) return { exactly: found, near: found, isPart };
  }
  if (isList) return allOf(await ask({}));
  return { exactly: [], near: await nearTo(given, ask), isPart: false };
}

const allOf = ({ found, isPart }: Candidates): Found => ({ exactly: [], near: found, isPart });

/** What has the whole name, or else its first or its longest word; what was put away as well. */
async function nearTo(
  given: string,
  ask: (filters: Values) => Promise<Candidates>,
): Promise<readonly Candidate[]> {
  const { name } = qualified(given);
  const words = name.split(/[\s,.;@()]+/u).filter((word) => word.length >= shortestWord);
  const longest = words.toSorted((one, other) => other.length - one.length)[0];
  for (const q of new Set([name, words[0], longest])) {
    const { found } = q === undefined ? { found: [] } : await ask({ q });
    if (found.length > 0) return found;
  }
  return [];
}
