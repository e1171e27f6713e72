-- each statement by itself
-- Tenant tables. A term that is rare here can be in very many records of other organizations, so the index of searched
-- texts (migration 0031) has the organization, too. It is an array because such a column of the index needs no extension.
-- The new indexes are built while the tables are read and written; a build that was interrupted left an index that does
-- not count, so it begins anew. Those of before go: a version from before finds the same along the new ones.
drop index concurrently if exists companies_text;
create index concurrently companies_text on companies
  using gin (
    (array[organization_id]),
    searched_text(coalesce(name, '') || E'\n' || coalesce(registration_id, '')) gin_trgm_ops,
    searched_parts(searched_text(coalesce(name, '') || E'\n' || coalesce(registration_id, ''))))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists companies_found;
drop index concurrently if exists contacts_text;
create index concurrently contacts_text on contacts
  using gin (
    (array[organization_id]),
    searched_text(coalesce(name, '') || E'\n' || coalesce(email, '') || E'\n' || coalesce(phone, '')) gin_trgm_ops,
    searched_parts(searched_text(coalesce(name, '') || E'\n' || coalesce(email, '') || E'\n' || coalesce(phone, ''))))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists contacts_found;
drop index concurrently if exists leads_text;
create index concurrently leads_text on leads
  using gin (
    (array[organization_id]),
    searched_text(name) gin_trgm_ops,
    searched_parts(searched_text(name)))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists leads_found;
drop index concurrently if exists activities_text;
create index concurrently activities_text on activities
  using gin (
    (array[organization_id]),
    searched_text(name) gin_trgm_ops,
    searched_parts(searched_text(name)))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists activities_found;
drop index concurrently if exists tasks_text;
create index concurrently tasks_text on tasks
  using gin (
    (array[organization_id]),
    searched_text(title) gin_trgm_ops,
    searched_parts(searched_text(title)))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists tasks_found;
drop index concurrently if exists invoices_text;
create index concurrently invoices_text on invoices
  using gin (
    (array[organization_id]),
    searched_text(number) gin_trgm_ops,
    searched_parts(searched_text(number)))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists invoices_found;
drop index concurrently if exists quotes_text;
create index concurrently quotes_text on quotes
  using gin (
    (array[organization_id]),
    searched_text(number) gin_trgm_ops,
    searched_parts(searched_text(number)))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists quotes_found;
drop index concurrently if exists bookings_text;
create index concurrently bookings_text on bookings
  using gin (
    (array[organization_id]),
    searched_text(coalesce(customer_name, '') || E'\n' || coalesce(customer_email, '')) gin_trgm_ops,
    searched_parts(searched_text(coalesce(customer_name, '') || E'\n' || coalesce(customer_email, ''))))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists bookings_found;
drop index concurrently if exists orders_text;
create index concurrently orders_text on orders
  using gin (
    (array[organization_id]),
    searched_text(coalesce(internal_number, '') || E'\n' || coalesce(customer_name, '')) gin_trgm_ops,
    searched_parts(searched_text(coalesce(internal_number, '') || E'\n' || coalesce(customer_name, ''))))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists orders_found;
drop index concurrently if exists products_text;
create index concurrently products_text on products
  using gin (
    (array[organization_id]),
    searched_text(name) gin_trgm_ops,
    searched_parts(searched_text(name)))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists products_found;
drop index concurrently if exists clients_text;
create index concurrently clients_text on clients
  using gin (
    (array[organization_id]),
    searched_text(coalesce(reference_code, '') || E'\n' || coalesce(reference_name, '')) gin_trgm_ops,
    searched_parts(searched_text(coalesce(reference_code, '') || E'\n' || coalesce(reference_name, ''))))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists clients_found;
