import { laterOf } from '../clock.ts';
import { changesOf } from '../database/changes.ts';
import { notFound } from '../problem.ts';
import { type InputOf, type ResultOf, type Writing, writes } from '../verb/verb.ts';
import { claimCompany, conflictOfClient } from './claim-company.ts';
import { type ClientColumns, readClient } from './client-record.ts';

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
