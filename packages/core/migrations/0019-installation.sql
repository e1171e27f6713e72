-- Control tables: what this installation is, and what runs of it.

create table installation (
  -- One row.
  id boolean primary key default true check (id),
  -- Null until the first start, which decides it.
  environment text check (environment in ('live', 'test')),
  -- Since when an operator has nothing sent, neither webhooks nor mails; null while all goes its way.
  deliveries_paused_at timestamptz(3),
  -- Since when everything that is encrypted is bound to its place; null while something of the former form may be left.
  secrets_bound_at timestamptz(3)
);
insert into installation (id) values (true);

-- The keys of SECRETS_KEY that something may be encrypted under, by what shows which they are and tells nothing of them.
create table secrets_keys (
  fingerprint text primary key,
  noted_at timestamptz(3) not null default now()
);

-- A process that runs notes itself every few seconds, by the clock of the database.
create table processes (
  id uuid primary key,
  roles text[] not null,
  host text not null,
  version text not null,
  -- Fingerprint of the key that it encrypts with.
  secrets_key text not null,
  -- DELIVERIES=held
  deliveries_held boolean not null,
  -- Connections that it opens at most.
  connections integer not null,
  started_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now()
);
