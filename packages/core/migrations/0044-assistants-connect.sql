-- Control tables: applications without a secret, which run on people's own machines, and which address a token is for.

alter table oauth_apps
  -- Null for a public client, which proves by PKCE alone that it asked.
  alter column secret_hash drop not null,
  -- Whether people of every organization may connect it; else those of the organizations that registered it.
  add column everywhere boolean not null default true,
  -- When the document at a client_id that is an address was last read and good; null when it says now that it is none.
  add column document_read_at timestamptz(3),
  -- Until when it need not be read again.
  add column document_fresh_until timestamptz(3),
  -- When reading it failed; null when it was read since.
  add column document_failed_at timestamptz(3);

-- The applications that an owner registered, each for their own organization.
create table oauth_app_organizations (
  organization_id uuid not null references organizations,
  client_id text not null references oauth_apps,
  user_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, client_id),
  foreign key (organization_id, user_id) references memberships
);
create index oauth_app_organizations_app on oauth_app_organizations (client_id);

-- What was asked for by `resource` (RFC 8707): the API alone where it was left out.
alter table oauth_codes add column resources text[] not null default '{api}';
alter table oauth_connections add column resources text[] not null default '{api}';
alter table oauth_access_tokens add column resources text[] not null default '{api}';
