-- Tenant tables: the business's own records. organization_id leads every key, so that the database itself refuses a
-- reference across organizations and the tables can be distributed by it.

create table tags (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  color text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  unique (organization_id, name)
);

create table custom_field_groups (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id)
);

create table custom_fields (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  description text,
  required boolean not null default false,
  type text not null check (type in ('text', 'number', 'date', 'checkbox')),
  group_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  unique (organization_id, name),
  foreign key (organization_id, group_id) references custom_field_groups
);

create table pipelines (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  is_default boolean not null default false,
  require_lost_reason boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id)
);
create unique index pipelines_default on pipelines (organization_id) where is_default;

create table stages (
  organization_id uuid not null references organizations,
  id uuid not null,
  pipeline_id uuid not null,
  name text not null,
  color text,
  kind text not null check (kind in ('open', 'won', 'lost')),
  probability integer not null check (probability between 0 and 100),
  position integer not null,
  primary key (organization_id, id),
  unique (organization_id, pipeline_id, id),
  foreign key (organization_id, pipeline_id) references pipelines
);

create table lead_origins (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id)
);

create table lost_reasons (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id)
);

create table companies (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  street text,
  city text,
  postal_code text,
  country_code text,
  email text,
  phone text,
  registration_id text,
  tax_id text,
  vat_id text,
  note text,
  owner_id uuid,
  tag_ids uuid[] not null default '{}',
  -- Values as text by the id of the custom field.
  custom_fields jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, owner_id) references users
);
create index companies_created on companies (organization_id, created_at, id);
create index companies_updated on companies (organization_id, updated_at, id);
create index companies_name on companies (organization_id, name, id);
create index companies_lower_name on companies (organization_id, lower(name));
create index companies_email on companies (organization_id, lower(email)) where email is not null;
create index companies_registration on companies (organization_id, registration_id) where registration_id is not null;

create table contacts (
  organization_id uuid not null references organizations,
  id uuid not null,
  company_id uuid not null,
  name text not null,
  email text,
  phone text,
  -- Besides the primary ones above.
  further_emails text[] not null default '{}',
  further_phones text[] not null default '{}',
  position text,
  is_primary boolean not null default false,
  note text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, company_id) references companies
);
create index contacts_created on contacts (organization_id, created_at, id);
create index contacts_updated on contacts (organization_id, updated_at, id);
create index contacts_name on contacts (organization_id, name, id);
create index contacts_email on contacts (organization_id, lower(email)) where email is not null;
create unique index contacts_primary on contacts (organization_id, company_id) where is_primary;

create table clients (
  organization_id uuid not null references organizations,
  id uuid not null,
  company_id uuid not null,
  owner_id uuid,
  note text,
  reference_code text,
  reference_name text,
  reference_valid_until date,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  unique (organization_id, company_id),
  foreign key (organization_id, company_id) references companies,
  foreign key (organization_id, owner_id) references users
);

create table leads (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text,
  value numeric(15, 2),
  acquisition_cost numeric(15, 2),
  expected_close_date date,
  note text,
  tag_ids uuid[] not null default '{}',
  company_id uuid,
  contact_id uuid,
  owner_id uuid,
  assignee_ids uuid[] not null default '{}',
  origin_id uuid,
  pipeline_id uuid not null,
  stage_id uuid not null,
  -- Follows the stage's kind.
  status text not null check (status in ('open', 'won', 'lost')),
  stage_entered_at timestamptz(3) not null,
  won_at timestamptz(3),
  lost_at timestamptz(3),
  lost_reason_id uuid,
  lost_note text,
  archived_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, company_id) references companies,
  -- Not bound to company_id: a person may move to another company while the lead stays.
  foreign key (organization_id, contact_id) references contacts,
  foreign key (organization_id, owner_id) references users,
  foreign key (organization_id, origin_id) references lead_origins,
  foreign key (organization_id, pipeline_id, stage_id) references stages (organization_id, pipeline_id, id),
  foreign key (organization_id, lost_reason_id) references lost_reasons
);
create index leads_created on leads (organization_id, created_at, id);
create index leads_updated on leads (organization_id, updated_at, id);
create index leads_name on leads (organization_id, name, id);
create index leads_value on leads (organization_id, value, id);
create index leads_expected_close_date on leads (organization_id, expected_close_date, id);
create index leads_company on leads (organization_id, company_id, created_at, id);
create index leads_stage on leads (organization_id, stage_id, created_at, id);
create index leads_contact on leads (organization_id, contact_id) where contact_id is not null;

create table events (
  organization_id uuid not null,
  id text not null,
  type text not null,
  -- The record's id.
  record_id uuid not null,
  occurred_at timestamptz(3) not null,
  -- The envelope exactly as it is sent; never written again.
  envelope text not null,
  primary key (organization_id, id)
);
create index events_occurred on events (organization_id, occurred_at);
create index events_record on events (organization_id, record_id);

-- The delivery log: one row for an attempt.
create table attempts (
  organization_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id text not null,
  number integer not null,
  started_at timestamptz(3) not null,
  duration_ms integer not null,
  -- Null when nothing was answered; then error says why.
  status integer,
  error text,
  response_start text,
  primary key (organization_id, id)
);
create index attempts_webhook on attempts (organization_id, webhook_id, started_at);
create index attempts_event on attempts (organization_id, event_id);
create index attempts_age on attempts (started_at);
