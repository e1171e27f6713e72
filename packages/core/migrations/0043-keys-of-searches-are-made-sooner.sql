-- A function of indexes of tenant tables. Whatever is written of a record makes its keys anew (migration 0039), by a query
-- that PostgreSQL could not take into the statement and prepared each time: two fifths of what an insert of a company
-- took. The keys are the same, in another order, so the indexes hold.

/* What identifies a record, folded, without spaces, and of phone numbers the last nine digits, whatever is before them. */
create or replace function search_keys(identifiers text[], phones text[]) returns text[]
language plpgsql immutable parallel safe
as $$
declare
  keys text[] := '{}';
  value text;
  key text;
begin
  foreach value in array identifiers loop
    key := left(replace(public.searched_text(value), ' ', ''), 300);
    if key <> '' then
      keys := keys || key;
    end if;
  end loop;
  foreach value in array phones loop
    key := regexp_replace(public.searched_text(value), '[^0-9]', '', 'g');
    if length(key) >= 5 then
      keys := keys || ('tel:' || right(key, 9));
    end if;
  end loop;
  return keys;
end
$$;
