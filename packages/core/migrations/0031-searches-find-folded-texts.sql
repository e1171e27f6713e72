-- each statement by itself
-- Tenant tables. What people type into a search stands anywhere in a text, so no sorted index helps. Trigrams of the
-- folded texts find what has three letters in a row; signs and pairs find what is shorter. They are built while the
-- tables are read and written; a build that was interrupted left an index that does not count, so it begins anew. The
-- indexes of before go: a version from before searches without them, only slower.
drop index concurrently if exists companies_found;
create index concurrently companies_found on companies
  using gin (
    searched_text(coalesce(name, '') || E'\n' || coalesce(registration_id, '')) gin_trgm_ops,
    searched_parts(searched_text(coalesce(name, '') || E'\n' || coalesce(registration_id, ''))))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists companies_searched;
drop index concurrently if exists contacts_found;
create index concurrently contacts_found on contacts
  using gin (
    searched_text(coalesce(name, '') || E'\n' || coalesce(email, '') || E'\n' || coalesce(phone, '')) gin_trgm_ops,
    searched_parts(searched_text(coalesce(name, '') || E'\n' || coalesce(email, '') || E'\n' || coalesce(phone, ''))))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists contacts_searched;
drop index concurrently if exists leads_found;
create index concurrently leads_found on leads
  using gin (
    searched_text(name) gin_trgm_ops,
    searched_parts(searched_text(name)))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists leads_searched;
drop index concurrently if exists activities_found;
create index concurrently activities_found on activities
  using gin (
    searched_text(name) gin_trgm_ops,
    searched_parts(searched_text(name)))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists activities_searched;
drop index concurrently if exists tasks_found;
create index concurrently tasks_found on tasks
  using gin (
    searched_text(title) gin_trgm_ops,
    searched_parts(searched_text(title)))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists tasks_searched;
drop index concurrently if exists invoices_found;
create index concurrently invoices_found on invoices
  using gin (
    searched_text(number) gin_trgm_ops,
    searched_parts(searched_text(number)))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists invoices_searched;
drop index concurrently if exists quotes_found;
create index concurrently quotes_found on quotes
  using gin (
    searched_text(number) gin_trgm_ops,
    searched_parts(searched_text(number)))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists quotes_searched;
drop index concurrently if exists bookings_found;
create index concurrently bookings_found on bookings
  using gin (
    searched_text(coalesce(customer_name, '') || E'\n' || coalesce(customer_email, '')) gin_trgm_ops,
    searched_parts(searched_text(coalesce(customer_name, '') || E'\n' || coalesce(customer_email, ''))))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists bookings_searched;
drop index concurrently if exists orders_found;
create index concurrently orders_found on orders
  using gin (
    searched_text(coalesce(internal_number, '') || E'\n' || coalesce(customer_name, '')) gin_trgm_ops,
    searched_parts(searched_text(coalesce(internal_number, '') || E'\n' || coalesce(customer_name, ''))))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists orders_searched;
drop index concurrently if exists products_found;
create index concurrently products_found on products
  using gin (
    searched_text(name) gin_trgm_ops,
    searched_parts(searched_text(name)))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists products_searched;
drop index concurrently if exists clients_found;
create index concurrently clients_found on clients
  using gin (
    searched_text(coalesce(reference_code, '') || E'\n' || coalesce(reference_name, '')) gin_trgm_ops,
    searched_parts(searched_text(coalesce(reference_code, '') || E'\n' || coalesce(reference_name, ''))))
  with (gin_pending_list_limit = 256);
