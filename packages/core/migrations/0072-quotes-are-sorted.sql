-- each statement by itself
-- Control and tenant tables. The console sorts quotes by these. The indexes are built while quotes are read and written; a
-- build that was interrupted left an index that does not count, so it begins anew.
drop index concurrently if exists quotes_valid_until;
create index concurrently quotes_valid_until on quotes (organization_id, valid_until, id);
drop index concurrently if exists quotes_total;
create index concurrently quotes_total on quotes (organization_id, total, id);
