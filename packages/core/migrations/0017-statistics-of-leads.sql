-- Tenant table. A stage, a pipeline, an owner belongs to one organization. PostgreSQL takes the columns for independent
-- unless told, expects a few rows where there are thousands, and sorts them all instead of walking along the index.
create statistics leads_stages (dependencies) on organization_id, stage_id from leads;
create statistics leads_pipelines (dependencies) on organization_id, pipeline_id from leads;
create statistics leads_owners (dependencies) on organization_id, owner_id from leads;
analyze leads;
