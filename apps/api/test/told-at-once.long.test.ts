import { randomUUID } from 'node:crypto';
import { type OperationDeclaration, operations } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { withValue } from './known-records.ts';
import { type Fault, type Tried, triedOperations } from './told-at-once.ts';

const dealkeep = await sharedDealkeep();
const { api, tried } = await triedOperations(dealkeep);
const all = Object.entries<Tried>(tried);
const declarations = Object.values<OperationDeclaration>(operations);
const methodOf = (id: string): string => declarations.find((each) => each.id === id)?.method ?? '';

const partsOf = (path: string): (string | number)[] =>
  path.split(/[.[\]]+/).flatMap((part) => (part === '' ? [] : /^\d+$/.test(part) ? Number(part) : part));

/** The body with every fault; what stands in a list moves together where an entry before it is missing. */
function bodyWith(
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
const clash = (one: Fault, other: Fault): boolean =>
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

async function told(
  [id, operation]: (typeof all)[number],
  faults: readonly Fault[],
  headers: Readonly<Record<string, string>> = {},
) {
  const { body, moved } = bodyWith(operation, faults);
  const answer = await api.send(methodOf(id), operation.path, { json: body, headers });
  return { answer, expected: faults.flatMap(({ told: of, also = [] }) => [of, ...also].map(moved)).sort() };
}

test('every operation with a body is tried', () => {
  // A batch tells of each item what its operation does.
  const withBody = declarations.filter(
    ({ body, kind }) => kind !== 'batch' && body && Object.keys(body.shape).length > 0,
  );
  expect(Object.keys(tried).sort()).toEqual(withBody.map(({ id }) => id).sort());
});

describe.each(all)('%s tells all that is wrong at once', (...each) => {
  const { faults } = each[1];

  test.each(faults)('$told alone', async (fault) => {
    const { answer, expected } = await told(each, [fault]);
    expect(answer.outcome).toBe(fault.alone ?? '422 VALIDATION_ERROR');
    if (!fault.alone) expect(Object.keys(answer.fields).sort()).toEqual(expected);
  });

  const pairs = faults.flatMap((one, index) =>
    faults
      .slice(index + 1)
      .flatMap((other) => (clash(one, other) || clash(other, one) ? [] : [[one, other]])),
  );
  const most = [together(faults), together(faults.toReversed())].filter(({ length }) => length > 1);

  test('any two', async () => {
    for (const pair of pairs) {
      const { answer, expected } = await told(each, pair);
      expect([pair, Object.keys(answer.fields).sort()]).toEqual([pair, expected]);
    }
  });

  test.each(most)('as much as can be wrong', async (...many) => {
    const { answer, expected } = await told(each, many.flat());
    expect(Object.keys(answer.fields).sort()).toEqual(expected);
  });

  // A PATCH takes no key.
  if (methodOf(each[0]) !== 'POST') return;
  test('and with an Idempotency-Key, twice', async () => {
    for (const many of most) {
      const headers = { 'Idempotency-Key': randomUUID() };
      const { answer, expected } = await told(each, many, headers);
      expect(Object.keys(answer.fields).sort()).toEqual(expected);
      expect((await told(each, many, headers)).answer.text).toBe(answer.text);
    }
  });
});
