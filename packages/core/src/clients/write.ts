import { randomUUIDv7 } from 'node:crypto';
import type { FieldProblem } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import { changesOf } from '../database/values.ts';
import type { Directory } from '../directory/directory.ts';
import { invalidFields, notFound, Problem } from '../problem.ts';
import type { Refused } from '../verb/check-input.ts';
import {
  type Changing,
  type InputOf,
  type ResultOf,
  type Scope,
  type Writing,
  writes,
} from '../verb/verb.ts';
import { type ClientColumns, readClient } from './record.ts';

const create = async (
  context: Writing,
  { body }: InputOf<'clients.create'>,
): Promise<ResultOf<'clients.create'>> => {
  const { sql, organization, now } = context;
  await claimCompany(context, body, await context.directory());
  const id = randomUUIDv7();
  await sql`
    insert into clients (organization_id, id, company_id, owner_id, note, reference_code, reference_name,
                         reference_valid_until, created_at, updated_at)
    values (${organization}, ${id}, ${body.company_id}, ${body.owner_id ?? null}, ${body.note ?? null},
            ${body.reference_code ?? null}, ${body.reference_name ?? null}, ${body.reference_valid_until ?? null},
            ${now}, ${now})`;
  const created = await readClient(context, id);
  context.emit('client.created', created);
  return created;
};

export const createClient = writes('clients.create', create, {
  further: (context, refused) => conflictOfClient(context, refused),
});

const update = async (
  context: Writing,
  { path, body }: InputOf<'clients.update'>,
): Promise<ResultOf<'clients.update'>> => {
  const { sql, organization, now } = context;
  const [row] = await sql<ClientColumns[]>`
    select * from clients where organization_id = ${organization} and id = ${path.id} for update`;
  if (!row) throw notFound();
  const changes = changesOf(row, body);
  if (!changes) return readClient(context, path.id);

  await claimCompany(context, changes, await context.directory());
  const before = await readClient(context, path.id);
  await sql`
    update clients set ${sql({ ...changes, updated_at: laterOf(now, row.updated_at) })}
    where organization_id = ${organization} and id = ${path.id}`;
  const after = await readClient(context, path.id);
  context.emitUpdated('client.updated', before, after);
  return after;
};

export const updateClient = writes('clients.update', update, {
  further: (context, refused, { id }) => conflictOfClient(context, refused, id),
});

/**
 * Checks what a client's body refers to, and that the company is nobody's client yet. The company stays locked, so
 * that of two clients for it at once one is refused. Raises VALIDATION_ERROR with every failing field, and CONFLICT.
 */
async function claimCompany(
  { sql, organization }: Changing,
  { company_id, owner_id }: { company_id?: string | undefined; owner_id?: string | null | undefined },
  directory: Directory,
): Promise<void> {
  const problems: FieldProblem[] = [];
  if (company_id !== undefined) {
    const [company] = await sql`
      select 1 from companies where organization_id = ${organization} and id = ${company_id} for no key update`;
    if (!company) problems.push({ path: 'company_id', key: 'field.not_found' });
  }
  if (owner_id && !directory.users.has(owner_id)) {
    problems.push({ path: 'owner_id', key: 'field.not_found' });
  }
  if (problems.length > 0) throw invalidFields(problems);
  if (await isClient({ sql, organization }, company_id)) {
    throw new Problem(existing.key, {}, { about: existing.path });
  }
}

const existing = { path: 'company_id', key: 'client.exists' } as const satisfies FieldProblem;

/**
 * The conflict of `claimCompany` as a failing field, for a body that is refused for other fields anyway. `id` is that
 * of the client that is changed.
 */
async function conflictOfClient(
  scope: Scope,
  { part }: Refused<{ company_id?: string | undefined }>,
  id?: string,
): Promise<FieldProblem[]> {
  return (await isClient(scope, part.company_id, id)) ? [existing] : [];
}

/** Whether a company is a client, other than this one. */
async function isClient(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  company: string | undefined,
  id?: string,
): Promise<boolean> {
  if (company === undefined) return false;
  const [taken] = await sql`
    select 1 from clients
    where organization_id = ${organization} and company_id = ${company} and id is distinct from ${id ?? null}`;
  return taken !== undefined;
}
