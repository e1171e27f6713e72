-- An organization that was moved to another installation: since when, what its former address says of the new one, which
-- installation has it, and since when it is known that it is there.
alter table organizations
  add column moved_at timestamptz(3),
  add column moved_to text,
  add column moved_into uuid,
  add column move_ended_at timestamptz(3);

-- What this installation is called by others; it gets its name when an organization is first moved into it.
alter table installation add column name uuid;

-- The fingerprints of all keys that a process can read with. One of the version before names none.
alter table processes add column secrets_keys text[];

-- Stands behind triggers that exist on the tables while an organization moves (their condition names it), so that it costs
-- nothing otherwise. Whoever writes shares a lock that the move has for itself, until that ends, however it ends. Once it has moved, nothing
-- changes here any more; when that is known for certain, what is left may be removed.
create function keep_moving_organization() returns trigger language plpgsql as $$
declare
  moving constant uuid := tg_argv[0];
  since timestamptz;
  ended timestamptz;
begin
  if current_setting('application_name') = 'move of an organization' then
    return coalesce(new, old);
  end if;
  -- By itself, since the columns are those of the trigger's table.
  if tg_table_name = 'users' then
    if not exists (select from public.memberships m where m.organization_id = moving and m.person_id = old.id) then
      return coalesce(new, old);
    end if;
  end if;
  select o.moved_at, o.move_ended_at into since, ended from public.organizations o where o.id = moving;
  if since is null or tg_table_name = 'users' then
    if pg_try_advisory_xact_lock_shared(tg_argv[1]::bigint) then
      return coalesce(new, old);
    end if;
  elsif ended is not null and tg_op = 'DELETE' then
    return old;
  end if;
  -- What workers write is about many organizations at once: the rows of this one are left as they are. An erasure has to
  -- get on, or it would begin again and again.
  if current_setting('application_name') in (
       'dealkeep upkeep', 'dealkeep claims', 'dealkeep results', 'dealkeep delivery log')
     and (tg_op <> 'INSERT' or tg_table_name in ('deliveries', 'held_events', 'attempts'))
     and tg_table_name <> 'erasures' then
    return null;
  end if;
  raise exception 'The organization % is being moved to another installation', moving
    using errcode = 'lock_not_available', constraint = 'organization_moves';
end $$;
