import { ParameterProblem } from '../failure.ts';
import { type ApiFields, isRecord, valueAt } from '../record.ts';
import type { Field, Operation, UpsertTable } from '../tables.ts';
import { labelOf } from '../transport/describe-failure.ts';
import { listRecords } from '../transport/pages.ts';
import type { DealkeepApi } from '../transport/request.ts';
import { queryOf } from './query-values.ts';
import type { ItemParameters } from './read-parameters.ts';

type Match = UpsertTable['matchBy'][number];

/** Updates the oldest record that matches with what is filled in, else creates one. Answers the record. */
export async function createOrUpdate(
  api: DealkeepApi,
  operation: Operation,
  upsert: UpsertTable,
  parameters: ItemParameters,
  idempotencyKey: string,
): Promise<unknown> {
  const fields = [...upsert.toCreate, ...operation.optional];
  const match = matchOf(upsert, parameters);
  const body: ApiFields = {
    ...parameters.body(),
    ...parameters.given(upsert.toCreate),
    ...parameters.fields(fields.filter(({ name }) => name === match.field)),
  };
  const existing = await findOldest(api, upsert, fields, match, body);
  if (existing === undefined) checkComplete(upsert, body);
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

/** Before anything is sent: the API would not say that the record was looked for and not found. */
function checkComplete({ toCreate }: UpsertTable, body: ApiFields): void {
  const missing = toCreate.filter(({ name }) => body[name] === undefined);
  if (missing.length === 0) return;
  const labels = missing.map(({ label }) => label).join(', ');
  throw new ParameterProblem(
    `${labels}: a value is needed to create a record, because none matches`,
    'Fill in what is missing, or match by a value that an existing record has.',
  );
}

function needed(body: ApiFields, name: string, fields: readonly Field[]): string {
  const value = body[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new ParameterProblem(
    `${labelOf(name, fields)}: a value is needed to look for an existing record`,
    'Fill in the field, or match by another one.',
  );
}

function matchOf(upsert: UpsertTable, parameters: ItemParameters): Match {
  const name = parameters.value('matchBy');
  const match = upsert.matchBy.find((each) => each.field === name);
  if (match) return match;
  throw new ParameterProblem(
    'Match By: choose one of the fields in the list',
    'The expression gives another name than the list does, which has those of the API, e.g. email.',
  );
}

async function findOldest(
  api: DealkeepApi,
  upsert: UpsertTable,
  fields: readonly Field[],
  { field, filter, within }: Match,
  body: ApiFields,
): Promise<string | undefined> {
  const wanted = needed(body, field, fields);
  const narrowed = within && (within.needed ? needed(body, within.field, fields) : body[within.field]);
  const narrowing = within && narrowed !== undefined ? { [within.field]: narrowed } : {};
  const query = queryOf({ ...narrowing, [filter ? field : 'q']: wanted, sort: 'created_at' });
  const list = { path: upsert.list, paged: true, query, limit: undefined, fields };
  for await (const record of listRecords(api, list)) {
    const id = valueAt(record, 'id');
    // `q` finds parts of names too, so the whole is compared.
    if (typeof id === 'string' && (filter || sameText(valueAt(record, field), wanted))) return id;
  }
  return undefined;
}

const sameText = (value: unknown, wanted: string): boolean =>
  typeof value === 'string' && value.trim().toLowerCase() === wanted.trim().toLowerCase();
