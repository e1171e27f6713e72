-- Tenant table: which transaction wrote an event, so that a stream of events finds one that commits later than a newer
-- one. Null in rows from before: no stream reaches back so far. The number is that of the whole transaction; xmin, which
-- every row has, would be that of a savepoint.
alter table events add column transaction_id xid8;
alter table events alter column transaction_id set default pg_current_xact_id();
create index events_transaction on events (organization_id, transaction_id, id);
