-- For a move to another database, in which nobody may write meanwhile: the role of the program may not lock a table against
-- others of which it may neither change nor remove rows. The lock lasts until the transaction ends.
create function keep_audit_entries_still() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  lock table audit_entries in share mode;
end $$;
