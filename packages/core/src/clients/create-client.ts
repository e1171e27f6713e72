import { randomUUIDv7 } from 'node:crypto';
import { type InputOf, type ResultOf, type Writing, writes } from '../verb/verb.ts';
import { claimCompany, conflictOfClient } from './claim-company.ts';
import { readClient } from './client-record.ts';

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
