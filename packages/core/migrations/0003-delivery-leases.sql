-- A claim marks a delivery as leased and leaves `due_at` as it is, so that what is handed back keeps its place.

alter table deliveries
  -- By the clock of the database: the clocks of workers may differ. Judged by the sweep alone.
  add column leased_until timestamptz(3),
  drop constraint deliveries_pkey,
  -- Also what a removed webhook's deliveries are found by.
  add primary key (webhook_id, id),
  add check ((worker_id is null) = (leased_until is null));

-- What may be claimed, by webhook; a leased delivery is in the other index alone.
drop index deliveries_due;
drop index deliveries_next;
drop index deliveries_claimed;
create index deliveries_due on deliveries (webhook_id, due_at, event_id) where worker_id is null;
create index deliveries_leased on deliveries (worker_id) where worker_id is not null;

-- While a webhook fails: since when nothing is to be delivered to it. That time does not count as failing.
alter table webhooks add column idle_since timestamptz(3);

-- When a worker last showed that it works, by the clock of the database. One row.
create table worker_activity (seen_at timestamptz(3) not null);
insert into worker_activity values (clock_timestamp());
