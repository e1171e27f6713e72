import { type FieldProblem, type RecordOf, resources } from '@dealkeep/contract';
import { countRecords, listRecords, recordList } from '../../change/paging/list-page.ts';
import { contains } from '../../change/paging/search.ts';
import {
  date,
  defineRecord,
  moment,
  number,
  oneOf,
  text,
  uuid,
} from '../../change/record-tables/define-record.ts';
import { column, field } from '../../change/record-tables/erased.ts';
import type { RecordKind } from '../../change/record-tables/record-kind.ts';
import { type ReadContext, reads, writes } from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { changesOf } from '../../foundations/database/values.ts';
import { invalidFields } from '../../foundations/problem.ts';
import { named } from '../../identity/reference-data/reference-data.ts';

type Vehicle = RecordOf<'vehicle'>;

const vehicles = defineRecord({
  schema: resources.vehicle.schema,
  table: 'vehicles',
  alias: 'v',
  columns: {
    id: uuid,
    name: text,
    plate: text.orNull,
    status: oneOf<Vehicle['status']>(),
    fuel: oneOf<NonNullable<Vehicle['fuel']>>().orNull,
    inspected_on: date.orNull,
    mileage: number.orNull,
    company_id: uuid.orNull,
    owner_id: uuid.orNull,
    retired_at: moment.orNull,
    created_at: moment,
    updated_at: moment,
  },
  searched: { texts: ['name', 'plate'], identifiers: ['plate'], subtitle: 'v.plate' },
  joined: { company_name: text.orNull.from('c.name') },
  joins: {
    c: {
      kind: 'company',
      table: 'companies',
      on: 'c.organization_id = v.organization_id and c.id = v.company_id',
    },
  },
  shown: (row, { referenceData, core }) => ({
    company: row.company_id === null ? null : { id: row.company_id, name: row.company_name ?? '' },
    owner: named(referenceData.users, row.owner_id),
    app_url: `${core.origin}/vehicles/${row.id}`,
  }),
});

interface References {
  readonly company_id?: string | null | undefined;
  readonly owner_id?: string | null | undefined;
}

/** What a body refers to: the name of its company, and what there is not. */
async function findReferences(
  { sql, organization, referenceData }: ReadContext,
  { company_id, owner_id }: References,
): Promise<{ joined: { company_name: string | null }; problems: FieldProblem[] }> {
  const [company] = company_id
    ? await sql<{ name: string }[]>`
        select name from companies where organization_id = ${organization} and id = ${company_id}`
    : [];
  const missing = [
    ...(company_id && !company ? ['company_id'] : []),
    ...(owner_id && !(await referenceData()).users.has(owner_id) ? ['owner_id'] : []),
  ];
  return {
    joined: { company_name: company?.name ?? null },
    problems: missing.map((path) => ({ path, key: 'field.not_found' })),
  };
}

const create = writes('vehicles.create', async (context, { body }) => {
  const { problems, joined } = await findReferences(context, body);
  if (problems.length > 0) throw invalidFields(problems);
  const values = {
    ...vehicles.valuesOf(body),
    id: newId(),
    status: 'active',
    created_at: context.now,
    updated_at: context.now,
  } as const;
  const created = await vehicles.recordOf(context, await vehicles.insertWhole(context, values, { joined }));
  context.emit('vehicle.created', created);
  return created;
});

/** Absent fields stay, null clears. */
const update = writes('vehicles.update', async (context, { path, body }) => {
  const row = await vehicles.lock(context, path.id);
  const { problems, joined } = await findReferences(context, body);
  if (problems.length > 0) throw invalidFields(problems);
  const before = await vehicles.recordOf(context, row);
  const changes = changesOf(row, vehicles.valuesOf(body));
  if (!changes) return before;
  const changed = { ...changes, updated_at: laterOf(context.now, row.updated_at) };
  const also = changes.company_id === undefined ? {} : { joined };
  const after = await vehicles.recordOf(context, await vehicles.update(context, row, changed, also));
  context.emitUpdated('vehicle.updated', before, after);
  return after;
});

/** A retired one stays as it is. */
const retire = writes('vehicles.retire', async (context, { path }) => {
  const row = await vehicles.lock(context, path.id);
  if (row.status === 'retired') return vehicles.recordOf(context, row);
  const retired_at = laterOf(context.now, row.updated_at);
  const after = await vehicles.recordOf(
    context,
    await vehicles.update(context, row, { status: 'retired', retired_at, updated_at: retired_at }),
  );
  context.emit('vehicle.retired', after);
  return after;
});

const list = (context: ReadContext) => {
  const { sql } = context;
  return recordList({
    id: 'vehicles.list',
    record: vehicles,
    sorts: {},
    filters: {
      q: (term) => contains(sql, term, ...vehicles.searchedTexts),
      status: (value) => sql`v.status = ${value}`,
      company_id: (id) => sql`v.company_id = ${id}`,
      owner_id: (id) => sql`v.owner_id = ${id}`,
    },
    items: (rows) => vehicles.records(context, rows),
  });
};

export const vehicle = {
  table: vehicles,
  verbs: {
    'vehicles.list': reads('vehicles.list', (context, { query }) =>
      listRecords(context, query, list(context)),
    ),
    'vehicles.count': reads('vehicles.count', (context, { query }) =>
      countRecords(context, query, list(context)),
    ),
    'vehicles.get': reads('vehicles.get', (context, { path }) => vehicles.get(context, path.id)),
    'vehicles.create': create,
    'vehicles.update': update,
    'vehicles.retire': retire,
  },
  erased: {
    with: [{ kind: 'company', column: 'company_id' }],
    columns: { name: column.text, plate: column.nothing },
    fields: { name: field.text, plate: field.nothing },
    stays: [
      'id',
      'status',
      'fuel',
      'inspected_on',
      'mileage',
      'company_id',
      'owner_id',
      'retired_at',
      'created_at',
      'updated_at',
    ],
  },
} as const satisfies RecordKind;
