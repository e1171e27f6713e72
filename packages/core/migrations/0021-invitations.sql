-- Control tables: who is invited to an organization, until they accept. They hold a few rows; nothing large is read.
create table invitations (
  organization_id uuid not null references organizations,
  id uuid not null,
  email text not null,
  -- Null is an owner.
  role_id uuid,
  -- Of the mail; null is English.
  language text check (language in ('en', 'sk')),
  -- The user who invites.
  invited_by uuid not null,
  -- Its link goes by mail, which proves the address; else the owner hands the link over.
  by_mail boolean not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, role_id) references roles,
  foreign key (organization_id, invited_by) references memberships
);
create unique index invitations_email on invitations (organization_id, lower(email));
create index invitations_expiry on invitations (expires_at);

-- The links of an invitation. A mail that is tried again brings another link, and both count.
create table invitation_tokens (
  token_hash bytea primary key,
  organization_id uuid not null,
  invitation_id uuid not null,
  foreign key (organization_id, invitation_id) references invitations on delete cascade
);
create index invitation_tokens_invitation on invitation_tokens (organization_id, invitation_id);

-- A mail goes to somebody of the organization, or to somebody who is invited; what is withdrawn is not sent. No mail
-- has an invitation yet, so that there is nothing to check.
alter table mails
  alter column user_id drop not null,
  add column invitation_id uuid,
  add foreign key (organization_id, invitation_id) references invitations on delete cascade not valid;
