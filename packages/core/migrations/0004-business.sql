-- Tenant tables of the rest of the business: activities, tasks, invoices, quotes, bookings, products, orders.

-- An exclusion constraint over uuid columns and a time range needs it; trusted, so the database's owner may.
create extension if not exists btree_gist;

-- Gapless numbers: one row for a series and year, raised in the transaction that uses the number.
create table document_numbers (
  organization_id uuid not null references organizations,
  series text not null check (series in ('invoice', 'quote', 'order')),
  year integer not null,
  last integer not null,
  primary key (organization_id, series, year)
);

create index clients_created on clients (organization_id, created_at, id);
create index clients_updated on clients (organization_id, updated_at, id);

create table activity_types (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id)
);

-- What a new organization is given, for those that exist already: under the same ids (md5 of the names, as a UUIDv8).
insert into activity_types (organization_id, id, name, created_at, updated_at)
select o.id,
       overlay(overlay(md5(o.id || ':activity_types:' || t.name) placing '8' from 13) placing 'a' from 17)::uuid,
       t.name, now(), now()
from organizations o,
     unnest(array['Meeting', 'Phone call', 'E-mail', 'Video call', 'Site visit']) as t (name);

create table activities (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  status text not null check (status in ('open', 'closed', 'canceled')),
  importance text not null check (importance in ('low', 'normal', 'high')),
  start_at timestamptz(3) not null,
  end_at timestamptz(3) check (end_at >= start_at),
  completed_at timestamptz(3),
  location text,
  note text,
  video_call_url text,
  type_id uuid,
  owner_id uuid not null,
  assignee_id uuid,
  company_id uuid,
  contact_id uuid,
  lead_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, type_id) references activity_types,
  foreign key (organization_id, owner_id) references users,
  foreign key (organization_id, assignee_id) references users,
  foreign key (organization_id, company_id) references companies,
  foreign key (organization_id, contact_id) references contacts,
  foreign key (organization_id, lead_id) references leads
);
create index activities_created on activities (organization_id, created_at, id);
create index activities_updated on activities (organization_id, updated_at, id);
create index activities_start on activities (organization_id, start_at, id);
create index activities_assignee on activities (organization_id, assignee_id, created_at, id);
create index activities_company on activities (organization_id, company_id, created_at, id);
create index activities_contact on activities (organization_id, contact_id) where contact_id is not null;
create index activities_lead on activities (organization_id, lead_id, created_at, id) where lead_id is not null;

create table projects (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  status text not null check (status in ('active', 'on_hold', 'closed')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id)
);

create table project_stages (
  organization_id uuid not null references organizations,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  category text not null check (category in ('to_do', 'in_progress', 'done')),
  position integer not null,
  primary key (organization_id, id),
  unique (organization_id, project_id, id),
  foreign key (organization_id, project_id) references projects
);

create table tasks (
  organization_id uuid not null references organizations,
  id uuid not null,
  title text not null,
  description text,
  priority text not null check (priority in ('low', 'normal', 'high')),
  start_date date,
  due_date date,
  due_time time(0),
  -- The due moment on the clocks of the organization's time zone; the end of the day when no time is given.
  due_local timestamp(0) generated always as (due_date + coalesce(due_time, '24:00'::time)) stored,
  -- The due moment that task.overdue has told of.
  overdue_told_of timestamp(0),
  completed_at timestamptz(3),
  archived_at timestamptz(3),
  assignee_ids uuid[] not null default '{}',
  company_id uuid,
  lead_id uuid,
  project_id uuid,
  stage_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, company_id) references companies,
  foreign key (organization_id, lead_id) references leads,
  foreign key (organization_id, project_id) references projects,
  foreign key (organization_id, project_id, stage_id) references project_stages (organization_id, project_id, id),
  check (stage_id is null or project_id is not null)
);
create index tasks_created on tasks (organization_id, created_at, id);
create index tasks_updated on tasks (organization_id, updated_at, id);
create index tasks_due_date on tasks (organization_id, due_date, id);
create index tasks_title on tasks (organization_id, title, id);
create index tasks_assignees on tasks using gin (assignee_ids);
create index tasks_company on tasks (organization_id, company_id) where company_id is not null;
create index tasks_lead on tasks (organization_id, lead_id) where lead_id is not null;
create index tasks_project on tasks (organization_id, project_id, stage_id) where project_id is not null;
create index tasks_overdue on tasks (due_local)
  where completed_at is null and archived_at is null and (overdue_told_of is null or overdue_told_of <> due_local);

create table invoices (
  organization_id uuid not null references organizations,
  id uuid not null,
  number text,
  status text not null check (status in ('draft', 'issued', 'paid', 'overdue', 'cancelled')),
  currency text not null,
  issued_date date,
  due_date date,
  paid_at timestamptz(3),
  subtotal numeric(18, 2) not null,
  vat_amount numeric(18, 2) not null,
  total numeric(18, 2) not null,
  paid_amount numeric(18, 2) not null default 0,
  variable_symbol text,
  client_id uuid,
  company_id uuid,
  -- [{name, quantity, unit, unit_price, vat_rate, total}] as the API shows them.
  items jsonb not null,
  note text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  unique (organization_id, number),
  foreign key (organization_id, client_id) references clients,
  foreign key (organization_id, company_id) references companies
);
create index invoices_created on invoices (organization_id, created_at, id);
create index invoices_updated on invoices (organization_id, updated_at, id);
create index invoices_issued on invoices (organization_id, issued_date, id);
create index invoices_due on invoices (organization_id, due_date, id);
create index invoices_total on invoices (organization_id, total, id);
create index invoices_client on invoices (organization_id, client_id) where client_id is not null;
create index invoices_company on invoices (organization_id, company_id) where company_id is not null;
create index invoices_symbol on invoices (organization_id, variable_symbol) where variable_symbol is not null;
create index invoices_overdue on invoices (due_date) where status = 'issued';

create table quotes (
  organization_id uuid not null references organizations,
  id uuid not null,
  number text,
  status text not null check (status in ('draft', 'sent', 'accepted', 'rejected')),
  currency text not null,
  subtotal numeric(18, 2) not null,
  vat_amount numeric(18, 2) not null,
  total numeric(18, 2) not null,
  valid_until date,
  company_id uuid,
  client_id uuid,
  lead_id uuid,
  items jsonb not null,
  accepted_at timestamptz(3),
  rejected_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  unique (organization_id, number),
  foreign key (organization_id, company_id) references companies,
  foreign key (organization_id, client_id) references clients,
  foreign key (organization_id, lead_id) references leads
);
create index quotes_created on quotes (organization_id, created_at, id);

create table booking_services (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  duration_minutes integer not null check (duration_minutes > 0),
  price numeric(15, 2),
  currency text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id)
);

create table booking_staff (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  email text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id)
);

create table bookings (
  organization_id uuid not null references organizations,
  id uuid not null,
  status text not null check (status in ('pending', 'confirmed', 'completed', 'cancelled', 'no_show')),
  source text not null check (source in ('api', 'console')),
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null check (ends_at > starts_at),
  confirmed_at timestamptz(3),
  completed_at timestamptz(3),
  cancelled_at timestamptz(3),
  cancellation_reason text,
  price numeric(15, 2),
  currency text,
  client_id uuid,
  lead_id uuid,
  service_id uuid not null,
  staff_id uuid,
  customer_name text not null,
  customer_email text,
  customer_phone text,
  customer_company text,
  notes text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, client_id) references clients,
  foreign key (organization_id, lead_id) references leads,
  foreign key (organization_id, service_id) references booking_services,
  foreign key (organization_id, staff_id) references booking_staff,
  -- Nobody is booked twice at one time, however many ask at once.
  constraint bookings_overlap exclude using gist (
    organization_id with =, staff_id with =, tstzrange(starts_at, ends_at) with &&)
    where (staff_id is not null and status in ('pending', 'confirmed', 'completed'))
);
create index bookings_created on bookings (organization_id, created_at, id);
create index bookings_updated on bookings (organization_id, updated_at, id);
create index bookings_starts on bookings (organization_id, starts_at, id);

create table products (
  organization_id uuid not null references organizations,
  id uuid not null,
  sku text not null,
  ean text not null default '',
  name text not null,
  description text,
  price numeric(15, 2),
  discounted_price numeric(15, 2),
  vat_rate numeric(5, 2) not null default 0,
  active boolean not null default true,
  category_id uuid,
  stock_on_hand numeric not null default 0,
  -- What open orders have reserved; available is on hand less this.
  stock_reserved numeric not null default 0,
  -- [{url, title, alt_text, is_primary}] and [{url, title, kind, locale, mime, size_bytes}] as the API shows them.
  images jsonb not null default '[]',
  attachments jsonb not null default '[]',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  unique (organization_id, sku)
);
create index products_created on products (organization_id, created_at, id);
create index products_updated on products (organization_id, updated_at, id);
create index products_name on products (organization_id, name, id);
create index products_price on products (organization_id, price, id);

create table orders (
  organization_id uuid not null references organizations,
  id uuid not null,
  internal_number text not null,
  external_id text,
  external_source text not null,
  status text not null check (status in ('new', 'confirmed', 'picking', 'packed', 'ready_for_pickup', 'shipped',
                                         'delivered', 'cancelled', 'returned')),
  payment_status text not null check (payment_status in ('unpaid', 'pending', 'paid', 'refunded', 'failed')),
  currency text not null,
  subtotal numeric(18, 2) not null,
  discount_total numeric(18, 2) not null,
  shipping_cost numeric(18, 2) not null,
  vat_total numeric(18, 2) not null,
  grand_total numeric(18, 2) not null,
  cod_fee numeric(18, 2),
  payment_method text,
  shipping_method text,
  customer_name text,
  customer_email text,
  customer_phone text,
  billing_address text,
  delivery_address text,
  notes text,
  client_id uuid,
  company_id uuid,
  invoice_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  confirmed_at timestamptz(3),
  paid_at timestamptz(3),
  shipped_at timestamptz(3),
  delivered_at timestamptz(3),
  cancelled_at timestamptz(3),
  primary key (organization_id, id),
  unique (organization_id, internal_number),
  foreign key (organization_id, client_id) references clients,
  foreign key (organization_id, company_id) references companies,
  foreign key (organization_id, invoice_id) references invoices
);
-- An empty external id says as little as none.
create unique index orders_external on orders (organization_id, external_source, external_id) where external_id <> '';
create index orders_created on orders (organization_id, created_at, id);
create index orders_updated on orders (organization_id, updated_at, id);
create index orders_grand_total on orders (organization_id, grand_total, id);
create index orders_customer_email on orders (organization_id, lower(customer_email)) where customer_email is not null;

create table order_items (
  organization_id uuid not null references organizations,
  id uuid not null,
  order_id uuid not null,
  position integer not null,
  name text not null,
  sku text not null,
  product_id uuid,
  -- As they were sent, with all their decimals; only what is computed from them is rounded.
  quantity numeric not null,
  unit_price numeric not null,
  vat_rate numeric not null,
  discount_pct numeric,
  line_total numeric(18, 2) not null,
  notes text,
  primary key (organization_id, id),
  foreign key (organization_id, order_id) references orders,
  foreign key (organization_id, product_id) references products
);
create index order_items_order on order_items (organization_id, order_id, position);
