-- Control table: requests counted in fixed one-minute windows by the core clock, one bucket for a credential and one
-- for an organization. Logged like any other table: a count that a crash of the database took away would let more
-- pass than the limit.
create table rate_windows (
  -- Minutes since 1970.
  minute bigint not null,
  -- Id of the credential or of the organization.
  bucket_id uuid not null,
  -- Requests that were counted or leased.
  taken integer not null,
  -- The last lease and the ceiling that it was taken under: what one statement needs to say what it granted.
  lease integer not null,
  ceiling integer not null,
  primary key (minute, bucket_id)
);
