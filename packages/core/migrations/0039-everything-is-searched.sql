-- each statement by itself
-- Tenant tables. The search over everything puts first what is called exactly as was typed, or begins so, and what has
-- exactly that number, address or phone number; neither may take longer the more records there are. Titles are cut,
-- because an entry of an index has an end. The indexes are built while the tables are read and written; a build that was
-- interrupted left an index that does not count, so it begins anew.

/* What identifies a record, folded, without spaces, and of phone numbers the last nine digits, whatever is before them. */
create or replace function search_keys(identifiers text[], phones text[]) returns text[]
language sql immutable parallel safe
return (
  select coalesce(array_agg(distinct key), '{}') from (
    select left(replace(searched_text(value), ' ', ''), 300) from unnest(identifiers) value
    union all
    select 'tel:' || right(regexp_replace(searched_text(value), '[^0-9]', '', 'g'), 9) from unnest(phones) value
    where length(regexp_replace(searched_text(value), '[^0-9]', '', 'g')) >= 5
  ) as keys (key)
  where key <> '');

-- Lists of quotes sort by it, too.
drop index concurrently if exists quotes_updated;
create index concurrently quotes_updated on quotes (organization_id, updated_at, id);

drop index concurrently if exists companies_titled;
create index concurrently companies_titled on companies
  (organization_id, (left(searched_text(name), 60)) collate "C", updated_at desc);
drop index concurrently if exists companies_keyed;
create index concurrently companies_keyed on companies
  using gin (search_keys(array[registration_id, tax_id, vat_id, email], array[phone])) with (gin_pending_list_limit = 256);
drop index concurrently if exists contacts_titled;
create index concurrently contacts_titled on contacts
  (organization_id, (left(searched_text(name), 60)) collate "C", updated_at desc);
drop index concurrently if exists contacts_keyed;
create index concurrently contacts_keyed on contacts
  using gin (search_keys(array[email] || further_emails, array[phone] || further_phones)) with (gin_pending_list_limit = 256);
drop index concurrently if exists clients_titled;
create index concurrently clients_titled on clients
  (organization_id, (left(searched_text(reference_code), 60)) collate "C", updated_at desc);
drop index concurrently if exists clients_keyed;
create index concurrently clients_keyed on clients
  using gin (search_keys(array[reference_code], '{}')) with (gin_pending_list_limit = 256);
drop index concurrently if exists leads_titled;
create index concurrently leads_titled on leads
  (organization_id, (left(searched_text(name), 60)) collate "C", updated_at desc);
drop index concurrently if exists activities_titled;
create index concurrently activities_titled on activities
  (organization_id, (left(searched_text(name), 60)) collate "C", updated_at desc);
drop index concurrently if exists tasks_titled;
create index concurrently tasks_titled on tasks
  (organization_id, (left(searched_text(title), 60)) collate "C", updated_at desc);
drop index concurrently if exists invoices_titled;
create index concurrently invoices_titled on invoices
  (organization_id, (left(searched_text(number), 60)) collate "C", updated_at desc);
drop index concurrently if exists invoices_keyed;
create index concurrently invoices_keyed on invoices
  using gin (search_keys(array[number, variable_symbol], '{}')) with (gin_pending_list_limit = 256);
drop index concurrently if exists quotes_titled;
create index concurrently quotes_titled on quotes
  (organization_id, (left(searched_text(number), 60)) collate "C", updated_at desc);
drop index concurrently if exists quotes_keyed;
create index concurrently quotes_keyed on quotes
  using gin (search_keys(array[number], '{}')) with (gin_pending_list_limit = 256);
drop index concurrently if exists bookings_titled;
create index concurrently bookings_titled on bookings
  (organization_id, (left(searched_text(customer_name), 60)) collate "C", updated_at desc);
drop index concurrently if exists bookings_keyed;
create index concurrently bookings_keyed on bookings
  using gin (search_keys(array[customer_email], array[customer_phone])) with (gin_pending_list_limit = 256);
drop index concurrently if exists orders_titled;
create index concurrently orders_titled on orders
  (organization_id, (left(searched_text(internal_number), 60)) collate "C", updated_at desc);
drop index concurrently if exists orders_keyed;
create index concurrently orders_keyed on orders
  using gin (search_keys(array[internal_number, external_id, customer_email], array[customer_phone])) with (gin_pending_list_limit = 256);
drop index concurrently if exists products_titled;
create index concurrently products_titled on products
  (organization_id, (left(searched_text(name), 60)) collate "C", updated_at desc);
drop index concurrently if exists products_keyed;
create index concurrently products_keyed on products
  using gin (search_keys(array[sku, ean], '{}')) with (gin_pending_list_limit = 256);
