import type { ConsoleContext } from '../context.ts';
import { bodyOf } from '../forms/body.ts';
import { search } from '../forms/choices.ts';
import type { FormState } from '../forms/labelled-control.ts';
import { readingOf } from '../forms/typed.ts';
import { readNumbers } from '../forms/typed-numbers.ts';
import type { QueryPairs } from '../values/shown-record.ts';
import type { RecordKind } from './record-kind.ts';
import { withRelativeValues } from './relative-values.ts';

/** Which records of a kind an address asks for, and in which order. */
interface AskedList {
  /**
   * The filters and the sort as parameters of the list; what cannot be read stays as it is, so that the list says
   * what is wrong.
   */
  readonly pairs: QueryPairs;
  /** A filter that is not decided yet, by its name. */
  readonly problems: FormState['problems'];
  /** The form of the filters as it was sent. */
  readonly state: FormState;
}

/** Reads the filters of a list from the address. */
export async function askedOf(c: ConsoleContext, kind: RecordKind): Promise<AskedList> {
  const { filters } = kind;
  const asked = withRelativeValues(c, filters, new Map(Object.entries(c.req.queries())));
  const numbers = readNumbers(readingOf(c), filters, asked);
  const searched = await search(c, filters, numbers.typed);
  const problems = new Map([...searched.problems, ...numbers.problems]);
  const sort = c.req.query('sort');
  const given = Object.entries(bodyOf(filters, searched.typed, readingOf(c)));
  const pairs = [
    ...given.map(([name, value]) => [name, String(value)] as const),
    ...(sort ? [['sort', sort] as const] : []),
  ];
  return { pairs, problems, state: { ...searched, problems, meanings: new Map(), fields: filters } };
}
