-- The role of the program reads the audit log and adds to it, nothing else: `prepareProgramRole` takes the rest from it. What has to
-- be changed or removed is done by these functions, as the owner of the table. Each does one thing, and no more of it than is due.

-- Removes entries that are kept no longer. Whatever it is told, none of the last 30 days (`retentionBounds.auditDays`); an
-- entry's id begins with its moment in milliseconds.
create function remove_old_audit_entries(of_organization uuid, before uuid, at_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  youngest uuid := (lpad(to_hex(floor(extract(epoch from now() - interval '30 days') * 1000)::bigint), 12, '0')
                    || repeat('0', 20))::uuid;
  removed integer;
begin
  delete from audit_entries where organization_id = of_organization and ctid = any(array(
    select ctid from audit_entries where organization_id = of_organization and id < least(before, youngest)
    order by id limit at_most));
  get diagnostics removed = row_count;
  return removed;
end $$;

-- Overwrites what the records of an erasure were called. Orders and invoices are called by a number, which stays.
create function erase_names_of_audit_entries(of_organization uuid, of_erasure uuid, at_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  erased integer;
begin
  update audit_entries t set record_name = '[erased]'
  from (select e.id from erasing_records due
        join audit_entries e on e.organization_id = due.organization_id and e.record_id = due.record_id
        where due.organization_id = of_organization and due.erasure_id = of_erasure
          and due.kind <> all(array['order', 'invoice']) and e.record_name <> '[erased]'
        order by e.id limit at_most for no key update of e) due
  where t.organization_id = of_organization and t.id = due.id;
  get diagnostics erased = row_count;
  return erased;
end $$;

-- Tells the entry of an import that has ended what became of its rows, instead of how many there were; once.
create function note_import_counts(of_organization uuid, of_import uuid, entry uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update audit_entries e set detail = jsonb_build_object('counts', (
    select jsonb_object_agg(state, count) from (
      select state, count(*) as count from import_rows
      where organization_id = of_organization and import_id = of_import group by state) counted))
  where e.organization_id = of_organization and e.id = entry and e.operation = 'imports.run'
    and e.detail -> 'counts' ? 'rows';
end $$;
