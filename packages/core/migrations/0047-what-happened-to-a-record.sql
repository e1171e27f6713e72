-- each statement by itself
-- Tenant tables. A record's page shows what happened to it and to what belongs to it, the newest first, and the newest few
-- of what belongs to it: each is read along an index, however much there is. The indexes are built while the tables are
-- read and written; a build that was interrupted left an index that does not count, so it begins anew. The ones in whose
-- place they come are dropped at last.
drop index concurrently if exists events_of_record;
create index concurrently events_of_record on events (organization_id, record_id, occurred_at);
drop index concurrently if exists events_record;
drop index concurrently if exists leads_of_contact;
create index concurrently leads_of_contact on leads (organization_id, contact_id, created_at, id) where contact_id is not null;
drop index concurrently if exists leads_contact;
drop index concurrently if exists activities_of_contact;
create index concurrently activities_of_contact on activities (organization_id, contact_id, created_at, id) where contact_id is not null;
drop index concurrently if exists activities_contact;
drop index concurrently if exists tasks_of_company;
create index concurrently tasks_of_company on tasks (organization_id, company_id, created_at, id) where company_id is not null;
drop index concurrently if exists tasks_company;
drop index concurrently if exists tasks_of_lead;
create index concurrently tasks_of_lead on tasks (organization_id, lead_id, created_at, id) where lead_id is not null;
drop index concurrently if exists tasks_lead;
drop index concurrently if exists invoices_of_client;
create index concurrently invoices_of_client on invoices (organization_id, client_id, created_at, id) where client_id is not null;
drop index concurrently if exists invoices_client;
drop index concurrently if exists invoices_of_company;
create index concurrently invoices_of_company on invoices (organization_id, company_id, created_at, id) where company_id is not null;
drop index concurrently if exists invoices_company;
drop index concurrently if exists quotes_of_client;
create index concurrently quotes_of_client on quotes (organization_id, client_id, created_at, id) where client_id is not null;
drop index concurrently if exists quotes_of_company;
create index concurrently quotes_of_company on quotes (organization_id, company_id, created_at, id) where company_id is not null;
drop index concurrently if exists quotes_of_lead;
create index concurrently quotes_of_lead on quotes (organization_id, lead_id, created_at, id) where lead_id is not null;
drop index concurrently if exists bookings_of_client;
create index concurrently bookings_of_client on bookings (organization_id, client_id, created_at, id) where client_id is not null;
drop index concurrently if exists orders_of_client;
create index concurrently orders_of_client on orders (organization_id, client_id, created_at, id) where client_id is not null;
drop index concurrently if exists orders_of_company;
create index concurrently orders_of_company on orders (organization_id, company_id, created_at, id) where company_id is not null;
