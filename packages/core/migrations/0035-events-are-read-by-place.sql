-- each statement by itself
-- Tenant table. The streams of `dealkeep listen` use the same index as the feed.
drop index concurrently if exists events_place;
create index concurrently events_place on events (organization_id, era, transaction_id, id);
drop index concurrently if exists events_transaction;
-- Events from before their transactions were noted stand before all others, in the order of their ids.
update events set transaction_id = '0' where transaction_id is null;
