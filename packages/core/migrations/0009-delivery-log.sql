-- What people look for in the delivery log, and sending again by hand.

-- Tenant table.
alter table attempts
  add column event_type text,
  -- Why nothing was answered, or why an answer did not count: a reason of the contract, and what is known besides.
  add column failure text,
  add column failure_detail text,
  -- The retry that was planned; null after the last attempt.
  add column next_attempt_at timestamptz(3),
  -- An extra attempt that somebody asked for.
  add column by_hand boolean not null default false;
update attempts a set event_type = e.type
from events e where e.organization_id = a.organization_id and e.id = a.event_id;
update attempts set failure = 'connection_failed', failure_detail = error where error is not null;
alter table attempts drop column error;

drop index attempts_webhook;
drop index attempts_event;
-- Removed organization by organization, along the next one.
drop index attempts_age;
create index attempts_time on attempts (organization_id, started_at, id);
create index attempts_webhook on attempts (organization_id, webhook_id, started_at, id);
create index attempts_type on attempts (organization_id, event_type, started_at, id);
create index attempts_event on attempts (organization_id, event_id, webhook_id, number, id);
-- Failures are few, and they are what is looked for.
create index attempts_failed on attempts (organization_id, started_at, id)
  where coalesce(status, 0) not between 200 and 299;
create index attempts_webhook_failed on attempts (organization_id, webhook_id, started_at, id)
  where coalesce(status, 0) not between 200 and 299;

-- Control table.
alter table deliveries
  -- The next attempt is an extra one.
  add column by_hand boolean not null default false,
  -- Extra attempts made so far: they count in `X-Service-Attempt`, not in the schedule.
  add column extra_attempts integer not null default 0,
  -- When the schedule goes on after an extra attempt that failed; null when it is over.
  add column retry_at timestamptz(3),
  add check (by_hand or retry_at is null);
-- Asked for twice, sent once.
create unique index deliveries_by_hand on deliveries (webhook_id, event_id) where by_hand;
