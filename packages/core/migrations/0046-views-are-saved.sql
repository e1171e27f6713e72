-- Tenant table. The filters and the sort of a list that a user keeps under a name, for themselves or for everybody.
create table saved_views (
  organization_id uuid not null references organizations,
  id uuid not null,
  -- Whoever made it.
  user_id uuid not null,
  kind text not null,
  name text not null,
  -- As the address of the list holds them. A search by a name or an address can stand here.
  query text not null,
  shared boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  -- Also finds what is shown above a list.
  constraint saved_views_name unique (organization_id, kind, user_id, name),
  foreign key (organization_id, user_id) references memberships
);
