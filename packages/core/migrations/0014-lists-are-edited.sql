-- Tenant tables. Entries of these lists that records refer to are archived instead of removed: the records keep them,
-- and nobody can choose them again.
alter table lead_origins add column archived_at timestamptz(3);
alter table lost_reasons add column archived_at timestamptz(3);
alter table activity_types add column archived_at timestamptz(3);
alter table projects add column archived_at timestamptz(3);
alter table booking_services add column archived_at timestamptz(3);
alter table booking_staff add column archived_at timestamptz(3);

-- The status of a lead follows the kind of its stage. Kinds can be edited now, so the database sees to that itself.
alter table stages add unique (organization_id, pipeline_id, id, kind);
alter table leads drop constraint leads_organization_id_pipeline_id_stage_id_fkey;
alter table leads add foreign key (organization_id, pipeline_id, stage_id, status)
  references stages (organization_id, pipeline_id, id, kind);
