-- Tenant table. Who did what: an entry for each operation that changed something, written in the transaction of the change,
-- and for what people do besides: signing in, taking data out. Never changed, but for names that are erased and the counts
-- of an import. Removed after a year (`limits.auditDays`).
create table audit_entries (
  organization_id uuid not null,
  -- A UUIDv7 of `at`, so that entries sort by their ids.
  id uuid not null,
  at timestamptz(3) not null,
  -- `leads.move`: of the contract, or one of those that it lists beside its operations.
  operation text not null,
  resource text not null,
  -- Null where it is about no record, or about one that has no id.
  record_id uuid,
  -- What the record was called then.
  record_name text,
  actor_kind text not null
    check (actor_kind in ('user', 'key', 'connection', 'assistant', 'operator', 'system')),
  -- The user who acted, or stands behind the key or the connection; null for an operator and the clock.
  actor_id uuid,
  actor_name text,
  via text check (via in ('console', 'import', 'key', 'connection')),
  -- Of the key or the connection.
  via_id uuid,
  via_name text,
  address text,
  program text,
  request_id text,
  -- What changed: of settings from what to what, of records which fields; their values stand in events.
  detail jsonb,
  primary key (organization_id, id)
);
create index audit_entries_record on audit_entries (organization_id, record_id, id) where record_id is not null;
create index audit_entries_actor on audit_entries (organization_id, actor_id, id) where actor_id is not null;

-- By which entry an event came about. An event is kept for a month and its entry for a year, so it is the event that knows.
alter table events add column audit_entry_id uuid;
-- The entry of an import, which is begun in one transaction and goes on in many.
alter table imports add column audit_entry_id uuid;
