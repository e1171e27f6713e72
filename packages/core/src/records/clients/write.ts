import type { Client, FieldProblem } from '@dealkeep/contract';
import type { RowIn } from '../../change/record-tables/define-record.ts';
import type { Refused } from '../../change/verb/check-input.ts';
import {
  type Changing,
  type InputOf,
  type ReadContext,
  type ResultOf,
  type Writing,
  writes,
} from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { changesOf } from '../../foundations/database/values.ts';
import { invalidFields, notFound, Problem } from '../../foundations/problem.ts';
import type { Directory } from '../../identity/directory/directory.ts';
import { clients } from './record.ts';

/** Adds a client with its event. Raises VALIDATION_ERROR and CONFLICT. */
export const addClient = async (
  context: Writing,
  body: InputOf<'clients.create'>['body'],
): Promise<ResultOf<'clients.create'>> => {
  const directory = await context.directory();
  const row = ownerProblems(body, directory).length === 0 ? await insertClient(context, body) : undefined;
  if (!row) {
    await claimCompany(context, body, directory);
    throw alreadyClient();
  }
  const created = await clients.recordOf(context, row);
  context.emit('client.created', created);
  return created;
};

export const createClient = writes('clients.create', (context, { body }) => addClient(context, body), {
  further: (context, refused) => conflictOfClient(context, refused),
});

/**
 * Adds a client of a company, which is locked first; nothing where there is no such company or it is a client
 * already.
 */
async function insertClient(context: Writing, body: InputOf<'clients.create'>['body']) {
  const { sql, organization, now } = context;
  const inserting = clients.inserting(context, {
    ...clients.valuesOf(body),
    id: newId(),
    created_at: now,
    updated_at: now,
  });
  const [row] = await clients.written(
    context,
    sql`
      company as (
        select 1 from companies
        where organization_id = ${organization} and id = ${body.company_id} for no key update),
      written as (
        ${inserting} from company on conflict (organization_id, company_id) do nothing returning *)`,
  );
  return row;
}

/**
 * Changes what a body says of a client, with its event. Undefined where the client is another one by now than was
 * expected. Raises NOT_FOUND, VALIDATION_ERROR and CONFLICT.
 */
export const changeClient = async (
  context: Writing,
  id: string,
  body: InputOf<'clients.update'>['body'],
  isExpected: (row: RowIn<typeof clients>) => boolean = () => true,
): Promise<{ record: Client; changed: boolean } | undefined> => {
  const row = await clients.lock(context, id);
  if (!isExpected(row)) return undefined;
  const before = await clients.recordOf(context, row);
  const changes = changesOf(row, clients.valuesOf(body));
  if (!changes) return { record: before, changed: false };

  const joined = await claimCompany(context, changes, await context.directory());
  const changed = { ...changes, updated_at: laterOf(context.now, row.updated_at) };
  const after = await clients.recordOf(context, await clients.update(context, row, changed, { joined }));
  context.emitUpdated('client.updated', before, after);
  return { record: after, changed: true };
};

const update = async (
  context: Writing,
  { path, body }: InputOf<'clients.update'>,
): Promise<ResultOf<'clients.update'>> => {
  const changed = await changeClient(context, path.id, body);
  if (!changed) throw notFound();
  return changed.record;
};

export const updateClient = writes('clients.update', update, {
  further: (context, refused, { id }) => conflictOfClient(context, refused, id),
});

interface ClientReferences {
  company_id?: string | undefined;
  owner_id?: string | null | undefined;
}

interface JoinedToClient {
  readonly company_name: string;
  readonly company_registration_id: string | null;
}

const ownerProblems = ({ owner_id }: ClientReferences, directory: Directory): FieldProblem[] =>
  owner_id && !directory.users.has(owner_id) ? [{ path: 'owner_id', key: 'field.not_found' }] : [];

/**
 * Checks what a client's body refers to, and that the company is nobody's client yet. The company stays locked, so
 * that of two clients for it at once one is refused. Answers what a client shows of it. Raises VALIDATION_ERROR with
 * every failing field, and CONFLICT.
 */
async function claimCompany(
  { sql, organization }: Changing,
  body: ClientReferences,
  directory: Directory,
): Promise<Partial<JoinedToClient>> {
  const { company_id } = body;
  const problems: FieldProblem[] = [];
  let company: JoinedToClient | undefined;
  if (company_id !== undefined) {
    [company] = await sql<JoinedToClient[]>`
      select name as company_name, registration_id as company_registration_id from companies
      where organization_id = ${organization} and id = ${company_id} for no key update`;
    if (!company) problems.push({ path: 'company_id', key: 'field.not_found' });
  }
  problems.push(...ownerProblems(body, directory));
  if (problems.length > 0) throw invalidFields(problems);
  if (await isClient({ sql, organization }, company_id)) throw alreadyClient();
  return { ...company };
}

const existing = { path: 'company_id', key: 'client.exists' } as const satisfies FieldProblem;
const alreadyClient = (): Problem => new Problem(existing.key, {}, { about: existing.path });

/**
 * The conflict of `claimCompany` as a failing field, for a body that is refused for other fields anyway. `id` is
 * that of the client that is changed.
 */
async function conflictOfClient(
  scope: ReadContext,
  { part }: Refused<{ company_id?: string | undefined }>,
  id?: string,
): Promise<FieldProblem[]> {
  return (await isClient(scope, part.company_id, id)) ? [existing] : [];
}

/** Whether a company is a client, other than this one. */
async function isClient(
  { sql, organization }: Pick<ReadContext, 'sql' | 'organization'>,
  company: string | undefined,
  id?: string,
): Promise<boolean> {
  if (company === undefined) return false;
  const [taken] = await sql`
    select 1 from clients
    where organization_id = ${organization} and company_id = ${company} and id is distinct from ${id ?? null}`;
  return taken !== undefined;
}
