import type { Database } from '@dealkeep/core/foundations';

/**
 * What an organization remembers: events of its leads over a month, attempts to deliver them to one webhook, one in
 * ten of which failed, and entries of the audit log over a year; so many of each.
 */
export async function fillHistory(
  sql: Database,
  { organization, webhook, count }: { organization: string; webhook: string; count: number },
): Promise<void> {
  const [all] = await sql<{ leads: number }[]>`
    select count(*)::integer as leads from leads where organization_id = ${organization}`;
  await sql`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select ${organization}, 'evt_' || gen_random_uuid(), case when n % 3 = 0 then 'lead.created' else 'lead.updated' end,
           lead.id, now() - n * (interval '31 days' / ${count}::integer),
           json_build_object('type', case when n % 3 = 0 then 'lead.created' else 'lead.updated' end,
                             'timestamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                             'data', json_build_object('id', lead.id, 'name', lead.name, 'note', repeat('note ', 60)),
                             'changed_fields', json_build_array('note', 'value'),
                             'previous', json_build_object('note', repeat('before ', 60), 'value', n))::text
    from generate_series(1, ${count}) as n
    join (select id, name, row_number() over () as number from leads
          where organization_id = ${organization}) as lead on lead.number = n % ${all?.leads ?? 0}::integer + 1`;
  await sql`
    insert into attempts (organization_id, id, webhook_id, event_id, event_type, number, started_at, duration_ms, status)
    select organization_id, gen_random_uuid(), ${webhook}, id, type, 1, occurred_at, 40,
           case when hashtext(id) % 10 = 0 then 500 else 200 end
    from events where organization_id = ${organization}`;
  await sql`
    insert into audit_entries (organization_id, id, at, operation, resource, record_id, record_name, actor_kind, actor_id,
                               actor_name, via, address, program, request_id, detail)
    select ${organization}, uuidv7(-n * (interval '365 days' / ${count}::integer)),
           now() - n * (interval '365 days' / ${count}::integer), 'leads.update', 'lead', lead.id, lead.name, 'user',
           member.person_id, 'Jana Horváthová', 'console', '192.0.2.7', 'Firefox', gen_random_uuid(),
           '{"changed_fields": ["note", "value"]}'
    from generate_series(1, ${count}) as n
    join (select id, name, row_number() over () as number from leads
          where organization_id = ${organization}) as lead on lead.number = n % ${all?.leads ?? 0}::integer + 1
    cross join (select person_id from memberships where organization_id = ${organization} limit 1) as member`;
}
