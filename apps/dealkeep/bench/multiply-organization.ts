import { basePath } from '@dealkeep/contract';
import { createApiKey, createOrganization, createUser, updateOrganization } from '@dealkeep/core/accounts';
import { type Database, Secrets, systemClock } from '@dealkeep/core/foundations';
import { seedDemo } from '@dealkeep/core/installation';
import { ownerPassword } from './business.ts';
import { fillHistory } from './history.ts';

const leads = 10;
const history = 20;
const template = 'organization-1';

const secretsKey = Buffer.alloc(32, 7);
const secrets = new Secrets([secretsKey]);

/** The key of each of them. */
export const tokenOf = (number: number): string => `dk_live_${String(number).padStart(43, '0')}`;

/** What each of them asks for in the figures. */
export const askedPath = `${basePath}/leads?limit=10`;

/**
 * So many organizations alike: an owner, a key, two webhooks, some leads with the records around them, events,
 * attempts and entries of the audit log. The first one is made as people make it; the others are copies of its rows,
 * in which every id is another one. Needs a superuser: foreign keys are not checked again.
 */
export async function makeOrganizations(sql: Database, count: number): Promise<void> {
  const organization = await makeTemplate(sql);
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      create temporary table copies on commit drop as
      select n as number, gen_random_uuid() as id from generate_series(2, ${count}::integer) n`;
    const columns = await tx<{ table: string; names: string[]; types: string[] }[]>`
      select c.relname as "table", array_agg(a.attname::text order by a.attnum) as names,
             array_agg(format_type(a.atttypid, null) order by a.attnum) as types
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and (c.relname in ('organizations', 'users')
             or exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'organization_id'))
      group by 1`;
    for (const { table, names, types } of columns) {
      const values = names.map((name, position) => copied(table, name, types[position] ?? ''));
      const own =
        { organizations: `t.id = '${organization}'`, users: 'true' }[table] ??
        `t.organization_id = '${organization}'`;
      await tx.unsafe(`
        insert into ${table} (${names.join(', ')})
        select ${values.join(', ')} from (select * from ${table} t where ${own} offset 0) t cross join copies c`);
    }
    const keys = Array.from({ length: count }, (_, index) => tokenOf(index + 1));
    await tx`
      update api_keys k set token_hash = sha256(given.token::bytea)
      from (select o.id, token from organizations o
            join unnest(${keys}::text[]) with ordinality as all_tokens (token, number)
              on o.slug = 'organization-' || number) given
      where k.organization_id = given.id`;
  });
  await sealSecrets(sql);
  await sql`vacuum analyze`;
}

/** A secret is sealed for the row that it stands in. */
async function sealSecrets(sql: Database): Promise<void> {
  const webhooks = await sql<{ organization: string; id: string }[]>`
    select organization_id as organization, id from webhooks`;
  const place = { table: 'webhooks', column: 'secret' };
  const sealed = webhooks.map(({ organization, id }) =>
    Buffer.from(secrets.encrypt('whsec_bench', { ...place, row: [organization, id] })).toString('hex'),
  );
  await sql`
    update webhooks w set secret = decode(given.secret, 'hex')
    from unnest(${webhooks.map((each) => each.organization)}::uuid[], ${webhooks.map((each) => each.id)}::uuid[],
                ${sealed}::text[]) as given (organization_id, id, secret)
    where w.organization_id = given.organization_id and w.id = given.id`;
}

/** What a column of a copy has. The beginning of an id stays: it says when it was made. */
function copied(table: string, name: string, type: string): string {
  const column = `t.${name}`;
  const other = (text: string, digits: number): string =>
    `overlay(${text} placing right(md5(c.id::text || ${text}), ${digits}) from length(${text}) - ${digits - 1})`;
  if (table === 'organizations' && name === 'id') return 'c.id';
  if (table === 'organizations' && name === 'slug') return `'organization-' || c.number`;
  if (table === 'users' && name === 'email') return `'owner-' || c.number || '@organizations.example'`;
  if (name === 'organization_id') return 'c.id';
  if (type === 'uuid') return `(${other(`${column}::text`, 12)})::uuid`;
  if (type === 'uuid[]')
    return `array(select (${other('each::text', 12)})::uuid from unnest(${column}) each)`;
  if (name === 'event_id' || (table === 'events' && name === 'id')) return other(column, 12);
  return name.endsWith('token_hash') ? `sha256(c.id::text::bytea || ${column})` : column;
}

async function makeTemplate(sql: Database): Promise<string> {
  const operator = { sql, clock: systemClock, environment: 'live' as const };
  const { id } = await createOrganization(operator, { name: 'Bench', slug: template });
  const [email, password] = ['owner-1@organizations.example', ownerPassword];
  await createUser(operator, {
    organization: template,
    name: 'Jana Horváthová',
    email,
    password,
    role: 'owner',
  });
  await createApiKey(operator, { organization: template, name: 'Bench', grant: { preset: 'automation' } });
  await updateOrganization(sql, template, { requestsPerMinute: 1_000_000, orgRequestsPerMinute: 1_000_000 });
  await seedDemo(operator, template, leads);
  const webhooks = await sql<{ id: string }[]>`
    insert into webhooks (organization_id, id, name, target_url, events, secret, created_at)
    select ${id}, gen_random_uuid(), 'Bench ' || n, 'https://127.0.0.1/' || n, '{lead.created}', '\\x00', now()
    from generate_series(1, 2) n returning id`;
  await fillHistory(sql, { organization: id, webhook: webhooks[0]?.id ?? id, count: history });
  return id;
}
