-- Control table, empty but while an installation is scaled out: the foreign keys between records that are to be made again once
-- both of their tables are distributed.

create table scale_out_keys (
  table_name text not null,
  key_name text not null,
  -- As `alter table … add constraint …` takes it.
  definition text not null,
  primary key (table_name, key_name)
);
