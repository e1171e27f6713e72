-- Control tables: people who are signed in to the console.

create table console_sessions (
  token_hash bytea primary key,
  -- The token before the last rotation: requests that were on their way with it still count for a minute.
  previous_token_hash bytea unique,
  organization_id uuid not null,
  user_id uuid not null,
  -- Goes with every form (OWASP: synchronizer token).
  csrf_token text not null,
  created_at timestamptz(3) not null,
  rotated_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  foreign key (organization_id, user_id) references users on delete cascade
);
create index console_sessions_user on console_sessions (organization_id, user_id);
create index console_sessions_age on console_sessions (last_seen_at);

-- Attempts since the last success, also for addresses that nobody has, so that none gives itself away.
create table sign_in_attempts (
  email_hash bytea primary key,
  failures integer not null,
  allowed_at timestamptz(3) not null,
  last_at timestamptz(3) not null
);
create index sign_in_attempts_age on sign_in_attempts (last_at);
