import type { Client, FieldProblem } from '@dealkeep/contract';
import type { RowIn } from '../../change/record-tables/define-record.ts';
import {
  type InputOf,
  isChanging,
  lockIfChanging,
  type ReadContext,
  type ResultOf,
  type Writing,
  writes,
} from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import { LockedTooEarly } from '../../foundations/database/failures.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { changesOf } from '../../foundations/database/values.ts';
import { invalidFields, Problem } from '../../foundations/problem.ts';
import type { ReferenceData } from '../../identity/reference-data/reference-data.ts';
import { clients } from './record.ts';

/** Raises VALIDATION_ERROR and CONFLICT. */
export async function checkNewClient(context: ReadContext, body: ClientReferences): Promise<void> {
  const problems = ownerProblems(body, await context.referenceData());
  // The insert itself finds out in a change.
  if (!isChanging(context) && (await isClient(context, body.company_id))) problems.push(existing);
  if (problems.length > 0) throw invalidFields(problems);
}

/** Adds a client that was checked, with its event. Raises VALIDATION_ERROR and CONFLICT. */
export const addClient = async (
  context: Writing,
  body: InputOf<'clients.create'>['body'],
): Promise<ResultOf<'clients.create'>> => {
  const row = await insertClient(context, body);
  if (!row) {
    await claimCompany(context, body);
    throw alreadyClient();
  }
  const created = await clients.recordOf(context, row);
  context.emit('client.created', created);
  return created;
};

export const createClient = writes('clients.create', {
  check: (context, { body }) => checkNewClient(context, body),
  run: (context, { body }) => addClient(context, body),
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

export type ClientRow = RowIn<typeof clients>;

/** A client that is to be changed, and what it shows of the company that it goes to. */
interface FoundClient {
  readonly row: ClientRow;
  readonly joined: Partial<JoinedToClient>;
}

/**
 * Finds a client for a change, and claims the company that it goes to. Raises NOT_FOUND, VALIDATION_ERROR,
 * CONFLICT, and LockedTooEarly where it is another one by now than was expected: whoever matches in its place may
 * come before it.
 */
export async function checkChangedClient(
  context: ReadContext,
  id: string,
  body: ClientReferences,
  isExpected: (row: ClientRow) => boolean = () => true,
): Promise<FoundClient> {
  const row = await clients.ofChange(context, id);
  if (!isExpected(row)) throw new LockedTooEarly();
  const changes = changesOf(row, clients.valuesOf(body));
  return { row, joined: changes ? await claimCompany(context, changes) : {} };
}

/** Changes what a body says of a client, with its event. */
export const changeClient = async (
  context: Writing,
  { row, joined }: FoundClient,
  body: InputOf<'clients.update'>['body'],
): Promise<{ record: Client; changed: boolean }> => {
  const before = await clients.recordOf(context, row);
  const changes = changesOf(row, clients.valuesOf(body));
  if (!changes) return { record: before, changed: false };
  const changed = { ...changes, updated_at: laterOf(context.now, row.updated_at) };
  const after = await clients.recordOf(context, await clients.update(context, row, changed, { joined }));
  context.emitUpdated('client.updated', before, after);
  return { record: after, changed: true };
};

export const updateClient = writes('clients.update', {
  check: (context, { path, body }) => checkChangedClient(context, path.id, body),
  run: async (context, { body }, found) => (await changeClient(context, found, body)).record,
});

interface ClientReferences {
  company_id?: string | undefined;
  owner_id?: string | null | undefined;
}

interface JoinedToClient {
  readonly company_name: string;
  readonly company_registration_id: string | null;
}

const ownerProblems = ({ owner_id }: ClientReferences, referenceData: ReferenceData): FieldProblem[] =>
  owner_id && !referenceData.users.has(owner_id) ? [{ path: 'owner_id', key: 'field.not_found' }] : [];

/**
 * Checks what a client's body refers to, and that the company is nobody's client yet. The company stays locked, so
 * that of two clients for it at once one is refused. Answers what a client shows of it. Raises VALIDATION_ERROR with
 * every failing field, and CONFLICT.
 */
async function claimCompany(context: ReadContext, body: ClientReferences): Promise<Partial<JoinedToClient>> {
  const { sql, organization } = context;
  const { company_id } = body;
  const problems: FieldProblem[] = [];
  let company: JoinedToClient | undefined;
  if (company_id !== undefined) {
    [company] = await sql<JoinedToClient[]>`
      select name as company_name, registration_id as company_registration_id from companies
      where organization_id = ${organization} and id = ${company_id} ${lockIfChanging(context)}`;
    if (!company) problems.push({ path: 'company_id', key: 'field.not_found' });
  }
  problems.push(...ownerProblems(body, await context.referenceData()));
  const isAlready = company !== undefined && (await isClient(context, company_id));
  if (isAlready && problems.length === 0) throw alreadyClient();
  if (isAlready) problems.push(existing);
  if (problems.length > 0) throw invalidFields(problems);
  return { ...company };
}

const existing = { path: 'company_id', key: 'client.exists' } as const satisfies FieldProblem;
const alreadyClient = (): Problem => new Problem(existing.key, {}, { about: existing.path });

/** Whether a company is a client. */
async function isClient(
  { sql, organization }: Pick<ReadContext, 'sql' | 'organization'>,
  company: string | undefined,
): Promise<boolean> {
  if (company === undefined) return false;
  const [taken] = await sql`
    select 1 from clients
    where organization_id = ${organization} and company_id = ${company}`;
  return taken !== undefined;
}
