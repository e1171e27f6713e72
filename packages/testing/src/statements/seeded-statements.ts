import type { Finding } from './judge-statement.ts';

export interface SeededStatement {
  readonly statement: string;
  readonly found: readonly Finding[];
}

/** Statements of which it is known what is to be found, so that a judge that finds nothing any more is noticed. */
export const seededStatements: readonly SeededStatement[] = [
  { statement: 'select name from leads where organization_id = $1 and id = $2', found: [] },
  {
    statement: `select l.name, c.name from leads l
      left join companies c on c.organization_id = l.organization_id and c.id = l.company_id
      where l.organization_id = $1::uuid and exists (select from tasks t where t.organization_id = $1 and t.lead_id = l.id)`,
    found: [],
  },
  {
    statement: `with given as (select * from unnest($1::uuid[]) as t (id)),
      made as (insert into tags (organization_id, id) select $2, id from given returning id)
      select id from made`,
    found: [],
  },
  { statement: 'select slug from organizations where id = $1', found: [] },
  { statement: 'select name from leads where id = $1', found: [['several organizations', 'leads']] },
  { statement: 'delete from events where occurred_at < $1', found: [['several organizations', 'events']] },
  {
    statement: 'update tasks set title = $1 where organization_id = any($2) and id = $3',
    found: [['several organizations', 'tasks']],
  },
  {
    statement:
      'select /* of all organizations */ organization_id, min(due_local) from tasks group by organization_id',
    found: [],
  },
  {
    statement: 'delete /* of all organizations */ from tasks where archived_at < $1',
    found: [['several organizations', 'tasks']],
  },
  {
    statement: 'select 1 from leads where organization_id = $1 or id = $2',
    found: [['several organizations', 'leads']],
  },
  {
    statement: `select l.id, (select count(*) from tasks t where t.organization_id = l.organization_id) from leads l
      where l.organization_id = $1`,
    found: [['another table’s organization', 'tasks']],
  },
  {
    statement: 'select l.id from organizations o join leads l on l.organization_id = o.id where o.id = $1',
    found: [
      ['several organizations', 'leads'],
      ['control table beside records', 'organizations'],
    ],
  },
  {
    statement: `select l.name from leads l where l.organization_id = $1
      and exists (select 1 from memberships m where m.organization_id = $1 and m.id = l.owner_id)`,
    found: [['control table beside records', 'memberships']],
  },
  {
    statement: `select l.name from leads l where l.organization_id = $1
      and l.owner_id in (select m.id from memberships m where m.organization_id = $1)`,
    found: [],
  },
  {
    statement: `select l.name from leads l where l.organization_id = $1
      and exists (select from memberships m where m.organization_id = $1 and m.id = $2)`,
    found: [['query without columns', 'memberships']],
  },
  {
    statement: `update webhooks set name = $2 where organization_id = $1
      and exists (select from events e where e.organization_id = $1)`,
    found: [
      ['query without columns', 'events'],
      ['control table beside records', 'webhooks'],
    ],
  },
  {
    statement: `select l.name from leads l where l.organization_id = $1
      and exists (select 1 from memberships m where m.organization_id = $1 and m.id = $2)
      and exists (select from tasks t where t.organization_id = $1 and t.lead_id = l.id)`,
    found: [],
  },
  {
    statement: `insert into companies (organization_id, id, country_code)
      values ($1, $2, (select country_code from organizations where id = $1))`,
    found: [['values by a query', 'companies']],
  },
  {
    statement: `insert into companies (organization_id, id, name, country_code, created_at, updated_at)
      select $1, $2, $3, country_code, created_at, created_at from organizations where id = $1`,
    found: [],
  },
  {
    statement: `with event as (insert into events (organization_id, id) values ($1, $2) returning id),
      queued as (insert into deliveries (organization_id, event_id) select $1, id from event) select 1`,
    found: [['writes on two servers', 'deliveries']],
  },
  {
    statement: `with /* on one server */ event as (insert into events (organization_id, id) values ($1, $2) returning id),
      queued as (insert into deliveries (organization_id, event_id) select $1, id from event) select 1`,
    found: [],
  },
  {
    statement: `with touched as (update companies set updated_at = $2 where organization_id = $1 and id = $3 returning id)
      update leads set updated_at = $2 where organization_id = $1 and company_id in (select id from touched)`,
    found: [],
  },
  {
    statement: 'insert into tags (organization_id, id) select organization_id, id from given',
    found: [['several organizations', 'tags']],
  },
  {
    statement: `insert into erasing_records (organization_id, record_id)
      select t.organization_id, t.id from tasks t where t.organization_id = $1`,
    found: [],
  },
  {
    statement: 'select pg_advisory_xact_lock($1) from leads where organization_id = $2',
    found: [['lock or job of the first server', 'pg_advisory_xact_lock']],
  },
];
