import { ParameterProblem } from '../failure.ts';
import { type ApiFields, isRecord, valueAt } from '../record.ts';
import type { Field, Operation, UpsertTable } from '../tables.ts';
import { labelOf } from '../transport/describe-failure.ts';
import { listRecords } from '../transport/pages.ts';
import type { DealkeepApi } from '../transport/request.ts';
import { queryOf } from './query-values.ts';
import type { ItemParameters } from './read-parameters.ts';

/** Updates the oldest record that matches, else creates one. Answers the record. */
export async function createOrUpdate(
  api: DealkeepApi,
  operation: Operation,
  upsert: UpsertTable,
  parameters: ItemParameters,
  idempotencyKey: string,
): Promise<unknown> {
  const fields = [...operation.required, ...operation.optional];
  const match = matchOf(upsert, fields, parameters);
  const body: ApiFields = { ...parameters.body(), ...parameters.fields([match.field]) };
  const wanted = needed(body, match.field.name, fields);
  const within = Object.fromEntries(upsert.within.map((name) => [name, needed(body, name, fields)]));
  const existing = await findOldest(api, upsert, fields, { ...match, wanted, within });
  const answer =
    existing === undefined
      ? await api.request({ method: 'POST', path: operation.path, body, fields, idempotencyKey })
      : await api.request({
          method: 'PATCH',
          path: upsert.update.replace('{id}', encodeURIComponent(existing)),
          body,
          fields,
        });
  return isRecord(answer) ? answer['data'] : undefined;
}

function needed(body: ApiFields, name: string, fields: readonly Field[]): string {
  const value = body[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new ParameterProblem(
    `${labelOf(name, fields)}: a value is needed to look for an existing record`,
    'Fill in the field, or match by another one.',
  );
}

function matchOf(
  upsert: UpsertTable,
  fields: readonly Field[],
  parameters: ItemParameters,
): { field: Field; filter: boolean } {
  const name = parameters.value('matchBy');
  const match = upsert.matchBy.find((each) => each.field === name);
  const field = fields.find((each) => each.name === name);
  if (!match || !field) {
    throw new ParameterProblem(
      'Match By: choose one of the fields in the list',
      'The expression gives another name than the list does, which has those of the API, e.g. email.',
    );
  }
  return { field, filter: match.filter };
}

async function findOldest(
  api: DealkeepApi,
  upsert: UpsertTable,
  fields: readonly Field[],
  match: { field: Field; filter: boolean; wanted: string; within: ApiFields },
): Promise<string | undefined> {
  const { field, filter, wanted, within } = match;
  const query = queryOf({ ...within, [filter ? field.name : 'q']: wanted, sort: 'created_at' });
  const list = { path: upsert.list, paged: true, query, limit: undefined, fields };
  for await (const record of listRecords(api, list)) {
    const id = valueAt(record, 'id');
    // `q` finds parts of names too, so the whole is compared.
    if (typeof id === 'string' && (filter || sameText(valueAt(record, field.name), wanted))) return id;
  }
  return undefined;
}

const sameText = (value: unknown, wanted: string): boolean =>
  typeof value === 'string' && value.trim().toLowerCase() === wanted.trim().toLowerCase();
