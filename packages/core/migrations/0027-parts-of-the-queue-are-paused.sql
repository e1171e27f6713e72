-- Control tables. What of the queue an operator has paused: an organization, one of its webhooks, or a host, each once.
create table queue_pauses (
  organization_id uuid references organizations on delete cascade,
  webhook_id uuid,
  -- As the URL parser writes it, with a port where one was named.
  host text,
  -- How addresses may write it: also in the letters of an international name.
  spellings text[],
  reason text,
  -- By the clock of the database.
  paused_at timestamptz(3) not null default clock_timestamp(),
  unique nulls not distinct (organization_id, webhook_id, host),
  foreign key (organization_id, webhook_id) references webhooks on delete cascade,
  check ((organization_id is null) = (host is not null)),
  check ((host is null) = (spellings is null)),
  check (webhook_id is null or organization_id is not null)
);

alter table installation
  -- Why an operator has nothing sent; null when not said, and while all goes its way.
  add column deliveries_paused_reason text;
