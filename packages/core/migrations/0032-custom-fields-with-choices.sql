-- Control table. Whether a tag is made that a program gives a record and that does not exist.
alter table organizations add column makes_tags boolean not null default true;

-- Tenant table, of few rows. A custom field can be a choice among values.
alter table custom_fields
  add column choices text[],
  drop constraint custom_fields_type_check,
  add constraint custom_fields_type check (type in ('text', 'number', 'date', 'checkbox', 'choice')) not valid;
