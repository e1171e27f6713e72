import { basePath } from '@dealkeep/contract';
import { createApiKey, createOrganization, createUser, updateOrganization } from '@dealkeep/core/accounts';
import { type Database, systemClock } from '@dealkeep/core/foundations';
import { seedDemo } from '@dealkeep/core/installation';

export interface BenchOrganization {
  id: string;
  key: string;
  /** Some of its leads, from everywhere in its list. */
  leads: string[];
  /** Some of its companies. */
  companies: string[];
  /** Their registration ids, each of one company. */
  registrationIds: string[];
}

/** Of every owner that benchmarks make. */
export const ownerPassword = 'a password of the benchmark';

const operator = (sql: Database) => ({ sql, clock: systemClock, environment: 'live' as const });

/** An organization with a key, filled with leads and the records around them; its limits never bind. */
export async function fillOrganization(
  sql: Database,
  slug: string,
  size: number,
): Promise<BenchOrganization> {
  const { id } = await createOrganization(operator(sql), { name: `Bench ${slug}`, slug });
  const email = `owner@${slug}.example`;
  await createUser(operator(sql), {
    organization: slug,
    name: 'Jana Horváthová',
    email,
    password: ownerPassword,
    role: 'owner',
  });
  const { token } = await createApiKey(operator(sql), {
    organization: slug,
    name: 'Bench key',
    grant: { preset: 'automation' },
  });
  await updateOrganization(sql, slug, { requestsPerMinute: 1_000_000, orgRequestsPerMinute: 1_000_000 });
  await seedDemo(operator(sql), slug, size);
  const rows = await sql<{ id: string }[]>`
    select id from leads where organization_id = ${id} order by random() limit 200`;
  const companies = await sql<{ id: string; registration_id: string }[]>`
    select id, registration_id from companies where organization_id = ${id} order by random() limit 200`;
  return {
    id,
    key: token,
    leads: rows.map((row) => row.id),
    companies: companies.map((row) => row.id),
    registrationIds: companies.map((row) => row.registration_id),
  };
}

/** Adds so many companies. Some of their names have a word more, in Slovak. */
export async function addCompanies(sql: Database, organization: string, total: number): Promise<void> {
  await sql`
    insert into companies (organization_id, id, name, email, created_at, updated_at)
    select ${organization}, gen_random_uuid(),
           'Spoločnosť ' || n || case when n % 1000 = 7 then ' Žltý kôň' when n % 10 = 3 then ' Pekáreň' else '' end, 'office-' || n || '@acme.example', now(), now()
    from generate_series(1, ${total}) n`;
}

/**
 * Copies the leads of an organization until it has so many. Needs a superuser: foreign keys are not checked again.
 */
export async function multiplyLeads(sql: Database, organization: string, total: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    const rows = await tx<{ column_name: string }[]>`
      select column_name from information_schema.columns where table_schema = 'public' and table_name = 'leads'`;
    const names = rows.map((row) => row.column_name).filter((name) => !['id', 'created_at'].includes(name));
    const columns = tx.unsafe(names.join(', '));
    await tx`
      insert into leads (id, created_at, ${columns})
      select gen_random_uuid(), created_at - n * interval '1 minute', ${columns}
      from (select l.*, n from leads l, generate_series(1, ${total}) as n where organization_id = ${organization}
            limit ${total} - (select count(*) from leads where organization_id = ${organization})) as l`;
  });
}

/** A request to our API as it goes over the wire. */
export const wire = (
  method: string,
  path: string,
  key: string,
  body?: unknown,
  idempotencyKey?: string,
): string => jsonRequest(method, `${basePath}${path}`, key, body, idempotencyKey);

export function jsonRequest(
  method: string,
  path: string,
  token: string,
  body?: unknown,
  idempotencyKey?: string,
): string {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    ...(idempotencyKey === undefined ? [] : [`Idempotency-Key: ${idempotencyKey}`]),
    ...(text === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${text === undefined ? '' : Buffer.from(text).toString('latin1')}`;
}
