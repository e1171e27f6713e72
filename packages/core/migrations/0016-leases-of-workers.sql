-- Control tables. Who works; a lease ends when its worker is lost or has not shown for long that it works, so that a
-- claim has nothing else to write than whose a delivery is now.
create table workers (
  worker_id integer primary key,
  -- By the clock of the database.
  seen_at timestamptz(3) not null
);
insert into workers
select distinct worker_id, '-infinity'::timestamptz from deliveries where worker_id is not null;

-- No index holds what a claim changes, so that it is written where the row stands and nowhere else.
drop index deliveries_leased;
drop index deliveries_due;
alter table deliveries drop column leased_until, set (fillfactor = 80);
create index deliveries_due on deliveries (webhook_id, due_at, event_id);

-- Tenant table: one index fewer to write for each attempt.
drop index attempts_time;
alter table attempts drop constraint attempts_pkey, add primary key (organization_id, started_at, id);
-- Nearly every success is a 200; the others are few, and cost those nothing.
create index attempts_other_success on attempts (organization_id, status, started_at, id)
  where status between 201 and 299;
