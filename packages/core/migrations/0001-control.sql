-- Control tables: who may do what, and what is still to be delivered. They stay on the coordinator (or become
-- reference tables) when the database is distributed by organization_id.

create table organizations (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  country_code text not null,
  currency text not null,
  time_zone text not null,
  subscription text not null default 'active' check (subscription in ('active', 'lapsed')),
  requests_per_minute integer,
  org_requests_per_minute integer,
  max_webhooks integer not null,
  max_keys integer not null,
  -- Counts changes of the small tables that every process keeps in memory (people, stages, origins, tags, …).
  directory_version bigint not null default 1,
  created_at timestamptz(3) not null
);

create table roles (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  -- {"leads.view": "all", "leads.edit": "assigned"}
  permissions jsonb not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  unique (organization_id, name)
);

create table users (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  email text not null,
  password_hash text not null,
  -- Null is an owner.
  role_id uuid,
  active boolean not null default true,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, role_id) references roles
);
create unique index users_email on users (lower(email));
create index users_created on users (organization_id, created_at, id);

create table api_keys (
  organization_id uuid not null references organizations,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  token_hash bytea not null unique,
  scopes text[] not null,
  legacy boolean not null default false,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users
);

create table webhooks (
  organization_id uuid not null references organizations,
  id uuid not null,
  -- A REST hook belongs to the key that made it; a hand-made webhook to nobody.
  api_key_id uuid,
  name text,
  target_url text not null,
  events text[] not null,
  secret bytea not null,
  -- The first failure after the last success; null while all is well.
  failing_since timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, api_key_id) references api_keys
);

-- What is in flight, and nothing else: a row goes when its delivery succeeded or was given up. No foreign key into
-- tenant tables, so that batches are claimed across organizations.
create table deliveries (
  id uuid primary key,
  organization_id uuid not null,
  webhook_id uuid not null,
  event_id text not null,
  -- Attempts made so far.
  attempts integer not null default 0,
  -- When it may be claimed. A claim moves it into the future by the lease, so a lost worker's deliveries come back.
  due_at timestamptz(3) not null,
  -- The worker that holds the lease; null when nobody does.
  worker_id integer,
  created_at timestamptz(3) not null,
  foreign key (organization_id, webhook_id) references webhooks on delete cascade
);
create index deliveries_due on deliveries (webhook_id, due_at, event_id);
create index deliveries_next on deliveries (due_at);
create index deliveries_claimed on deliveries (worker_id) where worker_id is not null;
create sequence worker_ids as integer cycle;

create table idempotent_answers (
  organization_id uuid not null,
  credential_id uuid not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  -- Encrypted: the answer of POST /webhooks holds a secret.
  answer bytea not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, credential_id, idempotency_key)
);
create index idempotent_answers_age on idempotent_answers (created_at);
