-- each statement by itself
-- Control table. When somebody put the guide of the first page away; null while it is shown.
alter table memberships add column if not exists guide_dismissed_at timestamptz(3);

-- Tenant tables: what the first page sums up, read from the indexes alone, however many records there are.
drop index concurrently if exists leads_open;
create index concurrently leads_open on leads (organization_id, owner_id) include (value)
  where status = 'open' and archived_at is null;
drop index concurrently if exists leads_won;
create index concurrently leads_won on leads (organization_id, won_at) include (value, owner_id)
  where won_at is not null;
drop index concurrently if exists invoices_late;
create index concurrently invoices_late on invoices (organization_id, due_date, id)
  include (currency, total, paid_amount) where status = 'overdue';
drop index concurrently if exists tasks_open;
create index concurrently tasks_open on tasks (organization_id, due_date, id)
  where completed_at is null and archived_at is null;

-- Tenant table. What is tried again is looked for among those attempts after which another one was planned.
drop index concurrently if exists attempts_planned;
create index concurrently attempts_planned on attempts (organization_id, started_at, id)
  where next_attempt_at is not null;
-- Deliveries of test events are a part of the log of their own; they are found by their few events.
drop index concurrently if exists events_test;
create index concurrently events_test on events (organization_id, occurred_at) where test;
