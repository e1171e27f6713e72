-- each statement by itself
-- Tenant table. What stands above each column of the board is counted from the index alone, however many leads there are.
drop index concurrently if exists leads_counted;
create index concurrently leads_counted on leads (organization_id, stage_id) include (value)
  where archived_at is null;
