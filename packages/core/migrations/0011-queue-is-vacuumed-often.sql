-- Control table. What was delivered leaves dead entries at the front of each webhook's part of the index, and every
-- claim passes them until a vacuum. A fifth of a large backlog, as is usual, is too many.
alter table deliveries set (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_cost_delay = 0
);
