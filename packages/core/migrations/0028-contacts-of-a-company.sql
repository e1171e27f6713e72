-- each statement by itself
-- Tenant table. A company's record shows its contacts, and the contact of a lead is looked for among those of its company:
-- without an index each read all contacts of the organization. It is built while the table is read and written; a build
-- that was interrupted left an index that does not count, so it begins anew.
drop index concurrently if exists contacts_company;
create index concurrently contacts_company on contacts (organization_id, company_id, created_at, id);
