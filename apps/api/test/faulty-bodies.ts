import { type OperationDeclaration, operations } from '@dealkeep/contract';
import type { ApiClient } from '@dealkeep/testing';
import { withValue } from './known-records.ts';
import type { Fault, Tried } from './told-at-once.ts';

const declarations = Object.values<OperationDeclaration>(operations);

/** Operations with a body, beside batches, which tell of each item what its operation does. */
export const withBody = declarations.filter(
  ({ body, kind }) => kind !== 'batch' && body && Object.keys(body.shape).length > 0,
);

export function declarationOf(id: string): OperationDeclaration {
  const found = declarations.find((each) => each.id === id);
  if (!found) throw new Error(`There is no operation ${id}`);
  return found;
}

const partsOf = (path: string): (string | number)[] =>
  path.split(/[.[\]]+/).flatMap((part) => (part === '' ? [] : /^\d+$/.test(part) ? Number(part) : part));

/** The body with every fault; what stands in a list moves together where an entry before it is missing. */
export function bodyWith(
  { good }: Tried,
  faults: readonly Fault[],
): { body: object; moved: (path: string) => string } {
  const entries = faults.flatMap(({ sets }) => Object.entries(sets));
  const body = entries.reduce<Record<string, unknown>>(
    (whole, [path, value]) => withValue(whole, partsOf(path), value),
    withLists(
      good,
      entries.map(([path]) => path),
    ),
  );
  const places = new Map<string, string>();
  for (const [name, list] of Object.entries(body)) {
    if (!Array.isArray(list)) continue;
    const present = Object.keys(list);
    for (const [to, from] of present.entries()) places.set(`${name}[${from}]`, `${name}[${to}]`);
    body[name] = present.map((index) => list[Number(index)]);
  }
  return { body, moved: (path) => path.replace(/^\w+\[\d+\]/, (head) => places.get(head) ?? head) };
}

/** With an empty list where a path asks for one. */
const withLists = (good: Tried['good'], paths: readonly string[]): Record<string, unknown> => ({
  ...Object.fromEntries(paths.flatMap((path) => /^(\w+)\[/.exec(path)?.[1] ?? []).map((name) => [name, []])),
  ...good,
});

/** Two faults that cannot stand in one body, or are told of the same field. */
export const clash = (one: Fault, other: Fault): boolean =>
  one.told === other.told ||
  (one.about !== undefined && one.about === other.about) ||
  Object.entries(one.sets).some(([path, value]) =>
    Object.entries(other.sets).some(
      ([of, else_]) =>
        (of === path && JSON.stringify(else_) !== JSON.stringify(value)) ||
        (of !== path && (of.startsWith(`${path}.`) || of.startsWith(`${path}[`))),
    ),
  );

/** As many faults as stand together. */
function together(faults: readonly Fault[]): Fault[] {
  const kept: Fault[] = [];
  for (const fault of faults) {
    if (!kept.some((each) => clash(each, fault) || clash(fault, each))) kept.push(fault);
  }
  return kept;
}

/** Sets of faults that stand together, each as large as it can be. */
export const largestOf = (faults: readonly Fault[]): Fault[][] =>
  [together(faults), together(faults.toReversed())].filter(({ length }) => length > 1);

/** The fields that are to be told of such a body. */
export const expectedOf = (faults: readonly Fault[], moved: (path: string) => string): string[] =>
  faults.flatMap(({ told: of, also = [] }) => [of, ...also].map(moved)).sort();

/** Sends a body with these faults; the answer, and the fields that it is to tell. */
export async function sendFaulty(
  api: ApiClient,
  [id, operation]: readonly [id: string, operation: Tried],
  faults: readonly Fault[],
  headers: Readonly<Record<string, string>> = {},
) {
  const { body, moved } = bodyWith(operation, faults);
  const answer = await api.send(declarationOf(id).method, operation.path, { json: body, headers });
  return { answer, expected: expectedOf(faults, moved) };
}
