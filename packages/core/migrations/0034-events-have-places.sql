-- Tenant table `events`, control table `installation`: the place of an event in the feed is (era, transaction_id, id).
-- Numbers of transactions belong to one server. A database that comes to another one, whose numbers may be lower, begins
-- a new era there, so that what happens from then on stands behind all that it brought.
alter table installation add column event_era smallint not null default 1;

create function current_event_era() returns smallint language sql stable
  return (select event_era from installation);

alter table events add column era smallint not null default 1;
alter table events alter column era set default current_event_era();
