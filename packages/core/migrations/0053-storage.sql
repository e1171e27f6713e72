-- What the rows of an organization take, as they were last measured, and how much they may. Null is not measured yet, and
-- what is usual in this installation (`STORAGE_QUOTA_MB`). `storage_state` is what requests look at; null is room.
alter table organizations
  add column storage_bytes bigint,
  add column max_storage_mb integer,
  add column storage_state text;
