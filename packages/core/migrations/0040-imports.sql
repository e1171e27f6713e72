-- Tenant tables. An import of records from a CSV file: what was uploaded, how its columns are read, and what became of each
-- row. All of it is removed after some days (`limits.importDays`), and never exported: the records are.
create table imports (
  organization_id uuid not null references organizations,
  id uuid not null,
  kind text not null check (kind in ('company', 'contact', 'lead', 'product')),
  -- Whoever began it; their role decides what it may do.
  user_id uuid not null,
  -- Personal data may stand in a name, and stands in the headings, if the file has none.
  file_name text not null,
  encoding text not null,
  delimiter text not null,
  decimal_mark text not null check (decimal_mark in (',', '.')),
  headings text[] not null,
  row_count integer not null,
  -- For each column the field that it fills, or null.
  mapping text[] not null,
  -- The field by which records that are there already are found, to be updated.
  match_by text,
  fills_short_rows boolean not null default false,
  status text not null
    check (status in ('uploaded', 'checking', 'checked', 'running', 'finished', 'undoing', 'undone')),
  -- Why it ended before its last row: a message and its values.
  stopped jsonb,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- When a worker last did something for it.
  worked_at timestamptz(3),
  primary key (organization_id, id)
);
create index imports_created on imports (organization_id, created_at);
create index imports_working on imports (organization_id) where status in ('checking', 'running', 'undoing');

create table import_rows (
  organization_id uuid not null,
  import_id uuid not null,
  number integer not null,
  -- Of the file, where the row begins.
  line integer not null,
  -- As they were read: personal data of those whom the file tells of.
  cells text[] not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'ready', 'faulty', 'created', 'updated', 'unchanged', 'refused', 'removed', 'kept')),
  -- What is wrong with it: columns and messages, which may quote a cell.
  problems jsonb,
  -- The record that was made or updated.
  record_id uuid,
  primary key (organization_id, import_id, number),
  foreign key (organization_id, import_id) references imports on delete cascade
);

-- What an import has made, so that it can be taken back where nobody has changed it.
create table import_records (
  organization_id uuid not null,
  import_id uuid not null,
  kind text not null check (kind in ('company', 'contact', 'lead', 'product')),
  record_id uuid not null,
  number integer not null,
  -- A hash of the row that the import left; holds no readable data.
  fingerprint text not null,
  -- Whether undoing it was tried and left it in place.
  kept boolean not null default false,
  primary key (organization_id, import_id, kind, record_id),
  foreign key (organization_id, import_id) references imports on delete cascade
);
