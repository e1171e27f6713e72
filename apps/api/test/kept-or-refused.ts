import {
  bareSchema,
  descriptionOf,
  exampleOf,
  getOperationOf,
  type OperationDeclaration,
  operations,
  pathText,
  type ReferenceName,
  referenceOfField,
} from '@dealkeep/contract';
import type { TestDealkeep } from '@dealkeep/testing';
import * as z from 'zod';
import { type Field, fieldsOf, inlineFor } from './bad-input/body-fields.ts';
import { idOf, type KnownBusiness, pathOn, withValue } from './known-records.ts';

const declarations = Object.values<OperationDeclaration>(operations);

/** What only says how a request is carried out. */
const saysHow = ['match_by', 'dedupe', 'resume', 'rotate_secret'];

/** What a field needs beside it. */
const beside: Readonly<Record<string, object>> = {
  due_time: { due_date: '2031-03-05' },
  start_at: { end_at: '2031-03-05T11:00:00.000Z' },
  end_at: { start_at: '2031-03-05T09:00:00.000Z' },
  due_date: { issued_date: '2031-03-01', start_date: '2031-03-01' },
  // A discount is at most all the rest of the order.
  discount_total: { shipping_cost: 1000 },
  events: { event: undefined },
  changed_fields: { event: undefined, events: ['lead.updated'] },
};

/** Fields that mean something only beside a record of this kind: they are tried beside each that there is. */
const triedBeside: Readonly<Record<string, { readonly field: string; readonly reference: ReferenceName }>> = {
  lost_reason_id: { field: 'stage_id', reference: 'stage' },
  lost_note: { field: 'stage_id', reference: 'stage' },
};

/** Values of fields that take only known ones. */
const knownValues: Readonly<Record<string, readonly unknown[]>> = {
  due_time: ['10:45'],
  currency: ['CZK'],
  event: ['lead.won'],
  events: [['lead.won']],
  changed_fields: [['note']],
  target_url: ['http://127.0.0.1:4567/kept'],
};

/** A flag or a choice that the record shows by another field. */
const shownBy: Readonly<Record<string, (record: object) => unknown>> = {
  completed: (record) => Reflect.get(record, 'completed_at') !== null,
  auto_confirm: (record) => Reflect.get(record, 'confirmed_at') !== null,
};

/** Where the records are that a body describes or changes. */
const tables: Readonly<Record<string, string>> = { company: 'companies', activity: 'activities' };
const tableOf = (resource: string): string => tables[resource] ?? `${resource}s`;

/**
 * The operations of which every field is looked at: those that change a record by a body. A batch does the same
 * ones.
 */
export const walked = declarations.filter(
  ({ body, kind, report, unconditional, shape }) =>
    body !== undefined &&
    Object.keys(body.shape).length > 0 &&
    kind !== 'batch' &&
    shape === 'record' &&
    !report &&
    !unconditional,
);

let counter = 0;

/** Values of a field that nothing else has. */
function valuesOf({ path, schema }: Field, business: KnownBusiness): unknown[] {
  const { bare } = bareSchema(schema);
  counter += 1;
  const known = knownValues[String(path.at(-1))];
  if (known) return [...known];
  const reference = referenceOfField(schema);
  if (reference) return business.known[reference].slice(0, 8);
  if (bare instanceof z.ZodEnum) {
    const { options } = bare;
    return options.length > 5 ? [exampleOf(schema)] : options;
  }
  if (bare instanceof z.ZodBoolean) return [true, false];
  if (bare instanceof z.ZodNumber) return [11 + (counter % 80)];
  if (bare instanceof z.ZodISODate) return ['2031-03-05'];
  if (bare instanceof z.ZodISODateTime) return ['2031-03-05T10:00:00.000Z'];
  if (bare instanceof z.ZodArray) {
    const [item] = valuesOf({ path, schema: bare.element }, business);
    return item === undefined ? [] : [[item]];
  }
  const { format, opens } = descriptionOf(schema) ?? {};
  if (format === 'email') return [`kept-${counter}@kept.example`];
  if (opens) return [`https://kept.example/${counter}`];
  // Inner fields are looked at one by one; dictionaries have names that the organization gives.
  if (bare instanceof z.ZodObject || bare instanceof z.ZodRecord) return [];
  return z.safeParse(bare, `Kept ${counter}`).success ? [`Kept ${counter}`] : [exampleOf(schema)];
}

/** A dropped field is worse than any refusal; one that was kept once is no field that is always refused. */
const rank = (outcome: string): number => (outcome.startsWith('dropped') ? 2 : outcome === 'kept' ? 1 : 0);

/** The least bodies that a field is tried beside. */
function basesOf(
  { body }: OperationDeclaration,
  base: object,
  name: string,
  { known }: KnownBusiness,
): object[] {
  const { field, reference } = triedBeside[name] ?? {};
  return field && reference && body && Object.hasOwn(body.shape, field)
    ? known[reference].slice(0, 8).map((id) => ({ ...base, [field]: id }))
    : [base];
}

/** Every text and number in a value, also in the JSON that a text holds. */
function leavesOf(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  if (typeof value !== 'string' || !value.startsWith('{')) return [value];
  return [value, ...leavesOf(JSON.parse(value))];
}

/**
 * Sends each field of a body with a value, and answers what became of it: `kept` where the answer, the record's GET
 * or its row has it, how it was refused, or `dropped`. What is no creation is sent to a new record, and to one that
 * is already what the request makes of it.
 */
export async function whatBecomesOf(
  dealkeep: TestDealkeep,
  business: KnownBusiness,
  declaration: OperationDeclaration,
): Promise<Record<string, string>> {
  const { method, kind, resource, body } = declaration;
  if (!body) throw new Error('An operation without a body is not walked');
  const { api, organization } = business;
  // One that is no client yet.
  if (resource === 'client') business.known.company.unshift(await business.freshRecord('company'));
  const isOnRecord = declaration.path.includes('{');
  const base = business.leastBody(declaration);
  const became: Record<string, string> = {};

  /** All that is known of a record after an answer. */
  const everythingOf = async (answered: object, { path: [first = ''] }: Field): Promise<object[]> => {
    const id = idOf(resource, answered);
    const get = getOperationOf(declaration);
    const read = get ? (await api.send<object>('GET', pathOn(get, id))).data : {};
    const rowOf = (table: string, of: unknown) => dealkeep.sql<object[]>`
      select * from ${dealkeep.sql(table)} where organization_id = ${organization.id} and id = ${String(of)}`;
    const described: unknown = Reflect.get(Object(Reflect.get(read, first)), 'id');
    const isDescribed = ['company', 'contact'].includes(String(first)) && described !== undefined;
    const rows = await rowOf(tableOf(resource), id);
    return [answered, read, ...rows, ...(isDescribed ? await rowOf(tableOf(String(first)), described) : [])];
  };
  const holds = async (answered: object, field: Field, value: unknown): Promise<boolean> => {
    const name = String(field.path.at(-1));
    const shown = shownBy[name]?.(answered);
    if (shown !== undefined) return shown === value;
    const all = await everythingOf(answered, field);
    if (typeof value === 'boolean') return all.some((each) => Reflect.get(each, name) === value);
    const leaves = all.flatMap(leavesOf);
    return leavesOf(value).every((each) => leaves.includes(each) !== name.startsWith('remove_'));
  };

  const fields = fieldsOf(body).filter(({ path }) => !saysHow.includes(String(path.at(-1))));
  for (const [field, value] of fields.flatMap((each) =>
    valuesOf(each, business).map((one) => [each, one] as const),
  )) {
    const name = pathText(field.path);
    const own =
      ['create', 'upsert'].includes(kind) && resource === 'client'
        ? { company_id: await business.freshRecord('company') }
        : {};
    for (const least of basesOf(declaration, base, name, business)) {
      counter += 1;
      const inline = Object.fromEntries(
        Object.entries(inlineFor(field)).map(([what, record]) => [
          what,
          { ...record, name: `Kept ${counter}` },
        ]),
      );
      const more = Object.entries(beside[name] ?? {}).filter(([other]) => Object.hasOwn(body.shape, other));
      const json = withValue({ ...least, ...own, ...inline, ...Object.fromEntries(more) }, field.path, value);
      for (const sent of kind === 'create' ? [[json]] : [[json], [least, json, json]]) {
        const path = isOnRecord
          ? pathOn(declaration, await business.freshRecord(resource))
          : declaration.path;
        for (const each of sent) {
          const answer = await api.send<object>(method, path, { json: each });
          if (each !== json) continue;
          const refused = answer.outcome === '422 VALIDATION_ERROR' ? Object.values(answer.fields) : [];
          const outcome =
            answer.status >= 400
              ? [answer.outcome, ...refused].join(' ')
              : (await holds(answer.data, field, value))
                ? 'kept'
                : `dropped ${JSON.stringify(value)}`;
          if (became[name] === undefined || rank(outcome) > rank(became[name])) became[name] = outcome;
        }
      }
    }
  }
  return became;
}
