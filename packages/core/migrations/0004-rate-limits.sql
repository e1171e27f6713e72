-- Control table: requests counted in fixed one-minute windows, one bucket for a credential and one for an
-- organization. Counts are worth nothing after their minute, so they need no place in the write-ahead log.
create unlogged table rate_windows (
  bucket_id uuid not null,
  -- Minutes since 1970.
  minute bigint not null,
  taken integer not null,
  primary key (bucket_id, minute)
);
