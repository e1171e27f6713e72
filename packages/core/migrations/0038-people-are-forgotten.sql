-- Tenant tables, both new. An entry for each time that somebody had personal data of a record erased: who, when and how
-- much, and nothing of the data. It stays.
create table erasures (
  organization_id uuid not null references organizations,
  id uuid not null,
  kind text not null check (kind in ('company', 'contact', 'client', 'lead')),
  record_id uuid not null,
  -- The user who asked for it, and their key; null in the console.
  requested_by uuid not null,
  api_key_id uuid,
  requested_at timestamptz(3) not null,
  -- Numbers of what was overwritten so far, by what it was.
  counts jsonb not null,
  -- What is gone through at this time, and how far; null when there is nothing more to do.
  stage text check (stage in ('records', 'events', 'answers')),
  place text[],
  -- When everything had been gone through. A second look follows, at what was on its way at that moment.
  finished_at timestamptz(3),
  primary key (organization_id, id)
);
create index erasures_record on erasures (organization_id, record_id, requested_at);
create index erasures_unfinished on erasures (requested_at) where stage is not null;

-- The records that an erasure is about, until it is over.
create table erasing_records (
  organization_id uuid not null,
  erasure_id uuid not null,
  record_id uuid not null,
  kind text not null,
  primary key (organization_id, erasure_id, record_id),
  foreign key (organization_id, erasure_id) references erasures on delete cascade
);

-- Tenant tables. An erased record takes no personal data any more, whoever writes it.
alter table companies
  add column erased_at timestamptz(3),
  add constraint companies_erased check (
    erased_at is null
    or name = '[erased]' and num_nonnulls(street, city, postal_code, email, phone, registration_id, tax_id, vat_id, note) = 0
       and tag_ids = '{}' and custom_fields = '{}') not valid;
alter table contacts
  add column erased_at timestamptz(3),
  add constraint contacts_erased check (
    erased_at is null
    or name = '[erased]' and num_nonnulls(email, phone, position, note) = 0
       and further_emails = '{}' and further_phones = '{}') not valid;
alter table clients
  add column erased_at timestamptz(3),
  add constraint clients_erased check (
    erased_at is null or num_nonnulls(note, reference_code, reference_name) = 0) not valid;
alter table leads
  add column erased_at timestamptz(3),
  add constraint leads_erased check (
    erased_at is null
    or coalesce(name, '[erased]') = '[erased]' and num_nonnulls(note, lost_note) = 0 and tag_ids = '{}') not valid;
