import * as z from 'zod';
import { consoleOperation, type OperationDeclaration, shownOperation } from '../operation.ts';
import { type RecordName, type Records, recordDeclarations, type Together } from '../records.ts';
import type { RecordDeclaration } from '../resource.ts';
import * as field from '../scalars.ts';
import { text } from '../text.ts';

const ListCount = z.strictObject({
  count: field.integer({ label: text('Records', 'Záznamy'), example: 1234 }),
  /** There are more than are counted. */
  more: field.boolean({ label: text('More', 'Ďalšie'), example: false }),
});

type Counted<Query extends z.ZodObject> = Pick<OperationDeclaration, 'resource'> & { readonly query: Query };

/** How many records a list has in all, with the very filters of the list. */
const countOf = <const Collection extends string, Query extends z.ZodObject>(
  collection: Collection,
  { resource, query }: Counted<Query>,
) =>
  ({
    id: `${collection}.count` as const,
    resource,
    kind: 'list',
    method: 'GET',
    path: `/${collection}/count` as const,
    query,
    answer: ListCount,
    shape: 'bare',
    errors: [],
    title: text('Count a list', 'Spočítať zoznam'),
    about: text(
      'How many records a list has on all its pages, counted up to a bound.',
      'Koľko záznamov má zoznam na všetkých stránkach, spočítané po hranicu.',
    ),
  }) as const;

/** Whoever reads the list may count it: people in the console, and assistants, which are shown a part of it. */
const sharedCountOf = <const Collection extends string, Query extends z.ZodObject>(
  collection: Collection,
  list: Counted<Query>,
  { scope, permission }: Pick<RecordDeclaration, 'scope' | 'permission'>,
) => shownOperation({ ...countOf(collection, list), scope, permissions: [permission] });

/** Of records that are listed in the console alone. */
const consoleCountOf = <const Collection extends string, Query extends z.ZodObject>(
  collection: Collection,
  list: Counted<Query>,
  { permission }: Pick<RecordDeclaration, 'permission'>,
) => consoleOperation({ ...countOf(collection, list), permissions: [permission] });

type Collection = Records[RecordName]['collection'];
/** The lists of a part of all operations, by the collection that each lists. */
type ListsIn<Part> = {
  [Name in Collection as `${Name}.list` extends keyof Part ? Name : never]: `${Name}.list` extends keyof Part
    ? Part[`${Name}.list`] extends { readonly query: infer Query extends z.ZodObject }
      ? Query
      : never
    : never;
};
type Shared = ListsIn<Together<'operations'>>;
type InConsole = ListsIn<Together<'consoleOperations'>>;

type SharedCounts = {
  readonly [Name in keyof Shared as `${Name}.count`]: ReturnType<typeof sharedCountOf<Name, Shared[Name]>>;
};
type ConsoleCounts = {
  readonly [Name in keyof InConsole as `${Name}.count`]: ReturnType<
    typeof consoleCountOf<Name, InConsole[Name]>
  >;
};

function countsOf(
  part: 'operations' | 'consoleOperations',
  count: typeof sharedCountOf | typeof consoleCountOf,
): Readonly<Record<string, OperationDeclaration>> {
  const counts = [...recordDeclarations.values()].flatMap((record) => {
    const list = record[part]?.[`${record.collection}.list`];
    return list?.query ? [count(record.collection, { ...list, query: list.query }, record)] : [];
  });
  return Object.fromEntries(counts.map((each) => [each.id, each]));
}

/** The counts of the lists that people work with; programs go through the pages. */
export const listCountOperations = countsOf('operations', sharedCountOf) as SharedCounts;

/** Of what is listed in the console alone. */
export const consoleCountOperations = countsOf('consoleOperations', consoleCountOf) as ConsoleCounts;
