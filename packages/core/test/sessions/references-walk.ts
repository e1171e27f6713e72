import {
  bareSchema,
  descriptionOf,
  type EveryOperationId,
  everyOperation,
  exampleOf,
  isRecordReference,
  type OperationDeclaration,
  type RecordReference,
  searchedKindNames,
  timelineOperation,
} from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import type { Session } from '@dealkeep/core/accounts';
import { Problem } from '@dealkeep/core/foundations';
import { reachFor, runAsUser } from '@dealkeep/core/operations';
import type { UnseenRecords } from '@dealkeep/testing/business';
import { expect } from 'vitest';
import * as z from 'zod';

// Walks what the console does, for a person whose role shows only some records: by the contract, operation by
// operation.

const nobody = '01985f6e-0000-7000-8000-000000000000';

type Path = readonly (string | number)[];

interface Named {
  readonly declaration: OperationDeclaration;
  readonly path: Path;
  readonly reference: RecordReference;
}

/** Every place of a schema where the id of a record stands; of a list its first element. */
function placesIn(schema: z.core.$ZodType, at: Path = []): { path: Path; reference: RecordReference }[] {
  const { bare } = bareSchema(schema);
  if (bare instanceof z.ZodObject) {
    return Object.entries(bare.shape).flatMap(([name, field]) => placesIn(field, [...at, name]));
  }
  if (bare instanceof z.ZodArray) return placesIn(bare.element, [...at, 0]);
  const reference = descriptionOf(schema)?.reference;
  return reference !== undefined && isRecordReference(reference) ? [{ path: at, reference }] : [];
}

const ofConsole = Object.values<OperationDeclaration>(everyOperation).filter(
  ({ audience, ownersOnly }) => audience.includes('console') && !ownersOnly,
);
const inBodies: readonly Named[] = ofConsole.flatMap((declaration) =>
  declaration.body ? placesIn(declaration.body).map((each) => ({ declaration, ...each })) : [],
);
const inQueries: readonly Named[] = ofConsole.flatMap((declaration) =>
  declaration.query ? placesIn(declaration.query).map((each) => ({ declaration, ...each })) : [],
);

/** The least body of an operation, with an id at a place. */
function bodyWith({ declaration, path }: Named, id: string): Record<string, unknown> {
  const put = (value: unknown, [first, ...rest]: Path): unknown => {
    if (first === undefined) return id;
    const inner = put(Reflect.get(Object(value ?? {}), first), rest);
    return typeof first === 'number' ? [inner] : { ...Object(value ?? {}), [first]: inner };
  };
  return Object(put(declaration.body && exampleOf(declaration.body), path));
}

const pathText = (path: Path): string => path.join('.').replace(/\.(\d+)/g, '[$1]');

/** How an operation is refused; undefined where it is carried out. */
export async function refusalOf(
  core: Core,
  session: Session,
  id: string,
  request: Parameters<typeof runAsUser>[3],
) {
  try {
    await runAsUser(core, session, id as EveryOperationId, request);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { code: error.code, values: error.values, fields: error.ofFields, detail: error.detail };
  }
}

/** The record in whose address an operation stands, of the person's own. */
const addressed = ({ path, resource }: OperationDeclaration, { own }: UnseenRecords) => {
  const [, name] = /\{(id|uuid)\}/.exec(path) ?? [];
  return name === undefined ? {} : { path: { [name]: String(Reflect.get(own, resource)) } };
};

const unseenOf = ({ unseen }: UnseenRecords, { reference }: Named): string | undefined =>
  Object.entries(unseen).find(([kind]) => kind === reference)?.[1];

/** Answers that hold none of what may not be seen. */
export function expectNothingOf({ secrets, unseen }: UnseenRecords, answer: unknown, about: string): void {
  const text = JSON.stringify(answer);
  for (const secret of [...secrets, ...Object.values(unseen)]) {
    expect(text.includes(secret), `${about} holds ${secret}`).toBe(false);
  }
}

/**
 * Sends the id of a record that is not seen in every field of every operation that names such a record. Answers what
 * they name.
 */
export async function walkBodies(core: Core, records: UnseenRecords): Promise<readonly RecordReference[]> {
  const walked: RecordReference[] = [];
  for (const named of inBodies) {
    const { declaration, path, reference } = named;
    const foreign = unseenOf(records, named);
    if (foreign === undefined || reachFor(records.session, declaration.id as EveryOperationId) === undefined)
      continue;
    const request = (id: string) => ({ ...addressed(declaration, records), body: bodyWith(named, id) });
    const about = `${declaration.id} ${pathText(path)}`;
    const refused = await refusalOf(core, records.session, declaration.id, request(foreign));
    expect(refused?.fields, `${about} ${JSON.stringify([refused, request(foreign)])}`).toContainEqual({
      path: pathText(path),
      key: 'field.not_found',
    });
    expectNothingOf(records, { ...refused, foreign: undefined }, about);
    // It is refused exactly as one that does not exist.
    expect(refused, about).toEqual(await refusalOf(core, records.session, declaration.id, request(nobody)));
    walked.push(reference);
  }
  return walked;
}

/** Filters every list by such a record. */
export async function walkFilters(core: Core, records: UnseenRecords): Promise<void> {
  for (const named of inQueries) {
    const { id, shape } = named.declaration;
    const foreign = unseenOf(records, named);
    if (foreign === undefined || reachFor(records.session, id as EveryOperationId) === undefined) continue;
    const ask = (value: string) =>
      runAsUser(core, records.session, id as EveryOperationId, {
        query: [[String(named.path[0]), value]],
      });
    const answered = await ask(foreign);
    expect(answered, id).toEqual(await ask(nobody));
    if (shape === 'list') expect(Object(answered).data, id).toEqual([]);
    expect(await ask(`${nobody},${foreign}`), id).toEqual(answered);
  }
}

/** Looks for what is not seen in every record, list and timeline of a person's own. Answers the kinds of records. */
export async function walkShown(core: Core, records: UnseenRecords): Promise<ReadonlySet<string>> {
  const { session, own } = records;
  const shown: string[] = [];
  for (const declaration of ofConsole) {
    const { id, resource, kind, shape, path } = declaration;
    const isRecord = kind === 'get' && shape === 'record' && /\/\{(id|uuid)\}$/.test(path);
    const isList = kind === 'list' && shape === 'list';
    if ((!isRecord && !isList) || !Object.hasOwn(own, resource)) continue;
    if (reachFor(session, id as EveryOperationId) === undefined) continue;
    const request = addressed(declaration, records);
    const answer = await runAsUser(core, session, id as EveryOperationId, request);
    // Nobody's role keeps them from what they are shown of their own.
    expect(JSON.stringify(answer), id).toContain(String(Reflect.get(own, resource)));
    expectNothingOf(records, answer, id);
    shown.push(resource);
  }
  for (const kind of searchedKindNames) {
    const record = Object.entries(own).find(([each]) => each === kind)?.[1];
    if (record === undefined || kind === 'contact') continue;
    const path = { [kind === 'order' ? 'uuid' : 'id']: record };
    const timeline = await runAsUser(core, session, timelineOperation(kind), { path });
    expect(timeline.entries.length, kind).toBeGreaterThan(0);
    expectNothingOf(records, timeline, `the timeline of a ${kind}`);
  }
  return new Set(shown);
}
