-- each statement by itself
-- Tenant table. Leads are listed by their owner, also by one who has few of very many. The index is built while leads are
-- read and written; a build that was interrupted left an index that does not count, so it begins anew.
drop index concurrently if exists leads_owner;
create index concurrently leads_owner on leads (organization_id, owner_id, created_at, id);
