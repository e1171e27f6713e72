-- Tenant tables. Lists sort names as people do (the root order of Unicode's collation algorithm), so their indexes do.
drop index companies_name;
create index companies_name on companies (organization_id, name collate "und-x-icu", id);
drop index contacts_name;
create index contacts_name on contacts (organization_id, name collate "und-x-icu", id);
drop index leads_name;
create index leads_name on leads (organization_id, name collate "und-x-icu", id);
drop index tasks_title;
create index tasks_title on tasks (organization_id, title collate "und-x-icu", id);
drop index products_name;
create index products_name on products (organization_id, name collate "und-x-icu", id);
