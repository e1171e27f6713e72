-- Control tables: applications that people connect to their own account, and the tokens of these connections.

create table oauth_apps (
  client_id text primary key,
  name text not null,
  secret_hash bytea not null,
  redirect_uris text[] not null,
  -- The scopes that it may ask for.
  scopes text[] not null,
  created_at timestamptz(3) not null
);

-- One for each consent. It stays as a record of what was once connected, without its tokens.
create table oauth_connections (
  organization_id uuid not null references organizations,
  id uuid not null,
  client_id text not null references oauth_apps,
  user_id uuid not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  ended_at timestamptz(3),
  ended_because text check (ended_because in ('disconnected', 'revoked', 'idle', 'reused', 'person')),
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users,
  check ((ended_at is null) = (ended_because is null))
);
create index oauth_connections_user on oauth_connections (organization_id, user_id) where ended_at is null;
create index oauth_connections_idle on oauth_connections (last_used_at) where ended_at is null;

-- What a person agreed to, until the application fetches its tokens. The connection of that id is made then.
create table oauth_codes (
  code_hash bytea primary key,
  organization_id uuid not null references organizations,
  connection_id uuid not null,
  client_id text not null references oauth_apps,
  user_id uuid not null,
  scopes text[] not null,
  redirect_uri text not null,
  -- Whether the request named it; then the token request must as well (RFC 6749, 4.1.3).
  redirect_uri_given boolean not null,
  code_challenge text not null,
  expires_at timestamptz(3) not null,
  -- A code that comes a second time ends its connection.
  redeemed_at timestamptz(3)
);
create index oauth_codes_expiry on oauth_codes (expires_at);

create table oauth_access_tokens (
  token_hash bytea primary key,
  organization_id uuid not null,
  connection_id uuid not null,
  scopes text[] not null,
  expires_at timestamptz(3) not null,
  foreign key (organization_id, connection_id) references oauth_connections on delete cascade
);
create index oauth_access_tokens_connection on oauth_access_tokens (organization_id, connection_id);
create index oauth_access_tokens_expiry on oauth_access_tokens (expires_at);

create table oauth_refresh_tokens (
  token_hash bytea primary key,
  organization_id uuid not null,
  connection_id uuid not null,
  created_at timestamptz(3) not null,
  rotated_at timestamptz(3),
  successor_hash bytea,
  -- The answer of the rotation, encrypted, as long as a lost response may be asked for again.
  answer bytea,
  foreign key (organization_id, connection_id) references oauth_connections on delete cascade
);
create index oauth_refresh_tokens_connection on oauth_refresh_tokens (organization_id, connection_id);
create index oauth_refresh_tokens_answers on oauth_refresh_tokens (rotated_at) where answer is not null;

-- A REST hook belongs to the key or to the connection that made it.
alter table webhooks add column oauth_connection_id uuid;
alter table webhooks add foreign key (organization_id, oauth_connection_id)
  references oauth_connections on delete cascade;
alter table webhooks add check (api_key_id is null or oauth_connection_id is null);
create index webhooks_connection on webhooks (organization_id, oauth_connection_id)
  where oauth_connection_id is not null;
