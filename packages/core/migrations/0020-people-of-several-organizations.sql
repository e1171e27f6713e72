-- Control tables: a person signs in with one password and may belong to several organizations.
--
-- `memberships` is what `users` was: rows, ids and every foreign key that names them stay as they are, so the id of a
-- user in the API is the id of a membership, and `user_id` in other tables means that. Renaming reads no row. What is
-- read and rewritten below has one row for each person, or for each session: few, and done in milliseconds.
alter table users rename to memberships;
alter index users_pkey rename to memberships_pkey;
alter index users_created rename to memberships_created;
alter table memberships rename constraint users_organization_id_fkey to memberships_organization_id_fkey;
alter table memberships rename constraint users_organization_id_role_id_fkey
  to memberships_organization_id_role_id_fkey;
alter table memberships rename constraint users_language_check to memberships_language_check;

-- A person: how they sign in, wherever they belong.
create table users (
  id uuid primary key,
  email text not null,
  -- A mail to the address brought the link that they came by, or the operator vouches for it. Others may use the same
  -- address without proof: nobody can take an address from whom it belongs to, nor learn that it is known.
  email_verified boolean not null,
  password_hash text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
drop index users_email;
insert into users (id, email, email_verified, password_hash, created_at, updated_at)
  select id, email, false, password_hash, created_at, updated_at from memberships;
create index users_email on users (lower(email));
create unique index users_verified_email on users (lower(email)) where email_verified;

alter table memberships add column person_id uuid;
update memberships set person_id = id;
alter table memberships
  alter column person_id set not null,
  add foreign key (person_id) references users,
  drop column email,
  drop column password_hash;
create unique index memberships_person on memberships (person_id, organization_id);

-- A session belongs to the person. Its organization is where they are now, its user_id their membership there.
alter table console_sessions add column person_id uuid;
update console_sessions set person_id = user_id;
alter table console_sessions
  alter column person_id set not null,
  add foreign key (person_id) references users on delete cascade;
create index console_sessions_person on console_sessions (person_id);
