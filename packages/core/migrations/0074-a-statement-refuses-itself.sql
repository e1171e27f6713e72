-- A function of no table. The last statement of a change looks once more at what the change relied on, and the commit follows it in
-- the same round trip. So it has to fail by itself where that holds no longer. SQLSTATE DK001 is ours, and nobody else raises it.

/* Volatile, as is usual, so that no plan calls it ahead of its `case`. A value, because a `case` has one. */
create function refuse(why text) returns integer
language plpgsql as $$
begin
  raise exception using errcode = 'DK001', message = why;
end $$;
