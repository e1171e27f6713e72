-- Tenant table.
create table vehicles (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  plate text,
  status text not null constraint vehicles_status_check check (status in ('active', 'retired')),
  fuel text constraint vehicles_fuel_check check (fuel in ('petrol', 'diesel', 'electric')),
  inspected_on date,
  mileage bigint,
  company_id uuid,
  owner_id uuid,
  retired_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, company_id) references companies,
  foreign key (organization_id, owner_id) references memberships
);
create index vehicles_created on vehicles (organization_id, created_at, id);
create index vehicles_updated on vehicles (organization_id, updated_at, id);
create index vehicles_company on vehicles (organization_id, company_id, created_at, id);
create index vehicles_owner on vehicles (organization_id, owner_id, created_at, id);
create index vehicles_text on vehicles
  using gin (
    (array[organization_id]),
    searched_text(coalesce(name, '') || E'\n' || coalesce(plate, '')) gin_trgm_ops,
    searched_parts(searched_text(coalesce(name, '') || E'\n' || coalesce(plate, ''))))
  with (gin_pending_list_limit = 256);
create index vehicles_titled on vehicles
  (organization_id, (left(searched_text(name), 60)) collate "C", updated_at desc);
create index vehicles_keyed on vehicles
  using gin (search_keys(array[plate], '{}')) with (gin_pending_list_limit = 256);
