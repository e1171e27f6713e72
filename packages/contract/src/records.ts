import type * as z from 'zod';
import type { Merged } from './merged.ts';
import type { OperationDeclaration } from './operation.ts';
import * as declared from './record-resources.ts';
import type { RecordDeclaration } from './resource.ts';

export type Records = typeof declared;
export type RecordName = keyof Records;

/** A record as its GET answers it. */
export type RecordOf<Name extends RecordName> = z.output<Records[Name]['schema']>;

/** In the order of documents, forms and results; what does not stand here comes after. */
const order: readonly string[] = [
  'company',
  'contact',
  'client',
  'lead',
  'activity',
  'task',
  'invoice',
  'quote',
  'booking',
  'order',
  'product',
];

/** Names in the order of some of them; the others come after. */
export function inOrder<Name extends string>(names: readonly Name[], first: readonly string[]): Name[] {
  const place = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length);
  return names.toSorted((one, other) => place(one) - place(other));
}

const unordered: Records = { ...declared };

export const isRecordName = (name: string): name is RecordName => Object.hasOwn(unordered, name);

export const recordKindNames: readonly RecordName[] = inOrder(
  Object.keys(unordered).filter(isRecordName),
  order,
);

/** Every kind of record by its name. */
export const records = Object.fromEntries(recordKindNames.map((name) => [name, unordered[name]])) as Records;

/** The same registry with the common type of a declaration, for code that walks it without naming a record type. */
export const recordDeclarations: ReadonlyMap<RecordName, RecordDeclaration> = new Map(
  recordKindNames.map((name) => [name, records[name]]),
);

type Part = 'operations' | 'consoleOperations' | 'systemOperations' | 'events';
type PartOf<Of extends Part, Each = Records[RecordName]> = Each extends {
  readonly [Name in Of]: infer Declared;
}
  ? Declared
  : never;

export type Together<Of extends Part> = Merged<PartOf<Of>>;

/** A part of what all kinds of records declare, together. */
export function togetherOf<const Of extends Part>(
  part: Of,
  names: readonly RecordName[] = recordKindNames,
): Together<Of> {
  const parts = names.map((name) => recordDeclarations.get(name)?.[part]);
  // Each has its own keys, so none is lost.
  return Object.assign({}, ...parts) as Together<Of>;
}

/** The operation that lists the records of a kind. */
export function listOf({
  collection,
  operations,
  consoleOperations,
}: RecordDeclaration): OperationDeclaration {
  const list = operations[`${collection}.list`] ?? consoleOperations?.[`${collection}.list`];
  if (!list) throw new Error(`Nothing lists ${collection}`);
  return list;
}

/** As many types as there are in the catalog of events. */
export const eventTypeCount = Object.keys(togetherOf('events')).length;
