import {
  limits,
  namesOf,
  type OperationDeclaration,
  type OperationId,
  operationIds,
  operations,
  type Reference,
  resourceNames,
  resources,
} from '@dealkeep/contract';
import { isResourceOn, requireResourceOn } from '../switches.ts';
import { isUsable } from '../tools/allowed.ts';
import { runOperation } from '../tools/run-operation.ts';
import type { Caller } from '../tools/tool.ts';
import { folded } from './folded.ts';

/** A record that a name could mean. */
export interface Candidate {
  readonly id: string;
  readonly name: string;
  /** What tells it from others of that name. */
  readonly apart: readonly string[];
  /** Addresses and numbers that are its own: as good as its name. */
  readonly known: readonly string[];
  /** The record that it stands inside of. */
  readonly owner: { readonly id: string; readonly isDefault: boolean } | undefined;
}

export interface Candidates {
  readonly found: readonly Candidate[];
  /** There are others that were not read. */
  readonly isPart: boolean;
}

/** So many pages of records that contain a name are read, for the one that is called so. */
const mostPages = 5;

/**
 * The records of a reference that its list answers to these filters, as the credential reads it; `owner` leaves only
 * what stands inside this record. Raises what the list is refused with, and FORBIDDEN where an owner has switched
 * such records off for assistants.
 */
export async function candidatesOf(
  caller: Caller,
  reference: Reference,
  filters: Readonly<Record<string, unknown>>,
  owner?: string,
): Promise<Candidates> {
  const list = operationNamed(reference.list);
  requireResourceOn(caller.credential, operations[list].resource);
  const { query }: OperationDeclaration = operations[list];
  const found: Candidate[] = [];
  let cursor: unknown;
  for (let page = 0; page < mostPages; page += 1) {
    const sort = isChosen(reference) && reference.items === undefined ? { sort: 'name' } : {};
    const asked = query ? { ...sort, ...filters, limit: limits.pageSizeMaximum } : {};
    const value = await askFor(caller, list, cursor === undefined ? asked : { ...asked, cursor });
    const { data, next_cursor: next } = Object(value);
    for (const record of Array.isArray(data) ? data : []) found.push(...within(reference, record, owner));
    if (typeof next !== 'string') return { found, isPart: false };
    cursor = next;
  }
  return { found, isPart: true };
}

/** Whether the caller is offered the list of a reference. */
export function canList({ credential }: Caller, { list }: Reference): boolean {
  const declaration: OperationDeclaration = operations[operationNamed(list)];
  return isUsable(credential, declaration) && isResourceOn(credential.assistants, declaration.resource);
}

/** Asks an operation for what a name means; it counts as the request that the caller is spared. */
export async function askFor(
  caller: Caller,
  id: OperationId,
  given: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  await caller.countAnother();
  return (await runOperation(caller, id, given)).value;
}

/** Whether it is chosen from a list of an organization's own, which is short enough to be told whole. */
export const isChosen = ({ list }: Reference): boolean => {
  const { resource }: OperationDeclaration = operations[operationNamed(list)];
  return resourceNames.some((name) => name === resource && resources[name].kind === 'lookup');
};

function within(reference: Reference, record: unknown, owner: string | undefined): Candidate[] {
  const { items, value = 'id' } = reference;
  if (items === undefined) return [candidateOf(reference, record, textAt(record, value))];
  const id = textAt(record, 'id');
  if (owner !== undefined && owner !== id) return [];
  const isDefault = valueAt(record, 'is_default') === true;
  const inside = valueAt(record, items);
  return (Array.isArray(inside) ? inside : []).map((item) => ({
    ...candidateOf(reference, item, textAt(item, value)),
    apart: [textAt(record, 'name')],
    owner: { id, isDefault },
  }));
}

function candidateOf(reference: Reference, record: unknown, id: string): Candidate {
  const { apart = [], known = [] } = reference;
  return {
    id,
    name: textsAt(record, namesOf(reference))[0] ?? '',
    apart: textsAt(record, [...new Set([...apart, ...known])]),
    known: textsAt(record, known),
    owner: undefined,
  };
}

/** Those that are called so: by the name, an address or a number of its own, or as "Name (what tells it apart)". */
export function called(candidates: readonly Candidate[], given: string): readonly Candidate[] {
  const wanted = folded(given);
  const exactly = candidates.filter((each) =>
    [each.name, ...each.known].some((text) => folded(text) === wanted),
  );
  if (exactly.length > 0) return exactly;
  const { name, apart } = qualified(given);
  if (apart === undefined) return [];
  const of = folded(apart);
  return candidates.filter(
    (each) =>
      folded(each.name) === folded(name) &&
      [...each.apart, each.apart.join(', ')].some((text) => folded(text) === of),
  );
}

/** "Negotiation (Sales)" → the name and what tells it apart. */
export function qualified(given: string): { readonly name: string; readonly apart: string | undefined } {
  const [, name, apart] = /^(.*\S)\s*\(([^()]+)\)\s*$/su.exec(given) ?? [];
  return name === undefined || apart === undefined ? { name: given, apart: undefined } : { name, apart };
}

/** The filters of a reference's list by which one of its own addresses or numbers is found. */
export function filtersFor({ list, known = [] }: Reference, given: string): readonly string[] {
  const { query }: OperationDeclaration = operations[operationNamed(list)];
  const offered = known.filter((name) => query && Object.hasOwn(query.shape, name));
  const isEmail = /^[^\s@()]+@[^\s@()]+$/.test(given);
  const couldBe = isEmail || (/\d/.test(given) && !/\s/.test(given));
  return couldBe ? offered.filter((name) => (name === 'email') === isEmail) : [];
}

/** The id of an operation that the contract names. */
export function operationNamed(id: string): OperationId {
  const found = operationIds.find((each) => each === id);
  if (found === undefined) throw new Error(`There is no operation ${id}`);
  return found;
}

/** What stands in a record at a path with dots. */
export const valueAt = (record: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => Reflect.get(Object(value), key), record);

const textAt = (record: unknown, path: string): string => {
  const value = valueAt(record, path);
  return typeof value === 'string' ? value : '';
};

const textsAt = (record: unknown, paths: readonly string[]): string[] =>
  paths.map((path) => textAt(record, path)).filter((text) => text !== '');
