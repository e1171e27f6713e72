-- each statement by itself
-- Tenant tables. Lists sort names as the Slovak alphabet does (Čaj behind Cukor, Žilina behind Zvolen), so their indexes
-- do. They are built while the tables are read and written; a build that was interrupted left an index that does not
-- count, so it begins anew.
drop index concurrently if exists companies_by_name;
create index concurrently companies_by_name on companies (organization_id, name collate "sk-x-icu", id);
drop index concurrently if exists companies_name;
drop index concurrently if exists contacts_by_name;
create index concurrently contacts_by_name on contacts (organization_id, name collate "sk-x-icu", id);
drop index concurrently if exists contacts_name;
drop index concurrently if exists leads_by_name;
create index concurrently leads_by_name on leads (organization_id, name collate "sk-x-icu", id);
drop index concurrently if exists leads_name;
drop index concurrently if exists tasks_by_title;
create index concurrently tasks_by_title on tasks (organization_id, title collate "sk-x-icu", id);
drop index concurrently if exists tasks_title;
drop index concurrently if exists products_by_name;
create index concurrently products_by_name on products (organization_id, name collate "sk-x-icu", id);
drop index concurrently if exists products_name;
