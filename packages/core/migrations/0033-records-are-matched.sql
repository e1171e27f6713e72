-- each statement by itself
-- Tenant tables. What "create or update" and filters look for, among as many records as there may be. Each is dropped
-- first where an attempt was broken off, because it is then there and not complete.
drop index concurrently if exists companies_tax;
create index concurrently companies_tax on companies (organization_id, tax_id) where tax_id is not null;
drop index concurrently if exists companies_vat;
create index concurrently companies_vat on companies (organization_id, vat_id) where vat_id is not null;
drop index concurrently if exists companies_custom_fields;
create index concurrently companies_custom_fields on companies using gin (custom_fields jsonb_path_ops)
  with (gin_pending_list_limit = 256);
drop index concurrently if exists contacts_phone;
create index concurrently contacts_phone on contacts (organization_id, phone) where phone is not null;
drop index concurrently if exists clients_reference;
create index concurrently clients_reference on clients (organization_id, reference_code)
  where reference_code is not null;
