-- Control tables: the life of a webhook, what is held for it meanwhile, and who is told.

alter table webhooks
  -- Null while it is active. Only hand-made webhooks are disabled; a REST hook ends instead.
  add column disabled_reason text check (disabled_reason in ('gone', 'failing', 'by_hand')),
  add column disabled_at timestamptz(3),
  -- To the minute.
  add column last_success_at timestamptz(3),
  -- When people were told that it fails; once until the next success.
  add column failing_told_at timestamptz(3),
  -- Held events that were dropped, since it was last disabled.
  add column dropped_events integer not null default 0,
  -- Signs too, until it ends.
  add column previous_secret bytea,
  add column previous_secret_until timestamptz(3),
  add check ((disabled_reason is null) = (disabled_at is null)),
  add check ((previous_secret is null) = (previous_secret_until is null));

-- The people marked to be told when a hand-made webhook fails.
create table webhook_notified_users (
  organization_id uuid not null,
  webhook_id uuid not null,
  user_id uuid not null,
  primary key (organization_id, webhook_id, user_id),
  foreign key (organization_id, webhook_id) references webhooks on delete cascade,
  foreign key (organization_id, user_id) references users
);

-- What waits for a webhook that is paused or was disabled because it failed. As with `deliveries`, no foreign key to
-- the event.
create table held_events (
  organization_id uuid not null,
  webhook_id uuid not null,
  event_id text not null,
  -- Attempts made before it was held.
  attempts integer not null,
  -- Besides, those that somebody asked for: they count in `X-Service-Attempt` alone.
  extra_attempts integer not null default 0,
  occurred_at timestamptz(3) not null,
  held_at timestamptz(3) not null,
  primary key (webhook_id, occurred_at, event_id),
  foreign key (organization_id, webhook_id) references webhooks on delete cascade
);

alter table deliveries
  -- It was held: the next held one follows when its attempt is over, so that they arrive in order.
  add column in_order boolean not null default false;
create unique index deliveries_in_order on deliveries (webhook_id) where in_order;

-- Mails to be sent, written in the transaction of their cause; kept for a while afterwards.
create table mails (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  -- What its text is made of when it is sent.
  facts jsonb not null,
  attempts integer not null default 0,
  -- Null when there is nothing more to do.
  due_at timestamptz(3),
  sent_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users
);
create index mails_due on mails (due_at) where due_at is not null;
create index mails_age on mails (created_at);

-- What people read their mails in; null is English.
alter table users add column language text check (language in ('en', 'sk'));

-- A test event, sent to one webhook by hand.
alter table events add column test boolean not null default false;
