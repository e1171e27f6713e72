-- Control table, of few rows. What became of each backup that was made by the clock, and of each trial of one.
create table backup_runs (
  -- In their order, whatever a clock says.
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('backup', 'trial')),
  -- The name of the file within its folder. What does not stand here is never removed.
  file text not null,
  host text not null,
  started_at timestamptz(3) not null,
  -- Null while it runs, and when its process has died.
  ended_at timestamptz(3),
  -- Null when it has succeeded.
  failure text,
  bytes bigint,
  rows bigint,
  -- Since when newer ones stand in its place.
  removed_at timestamptz(3)
);
