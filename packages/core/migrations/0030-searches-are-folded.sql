-- Functions for tenant tables. A search ignores case, diacritics and Unicode form, so it compares folded texts: zlty is
-- found in Žltý. They need no extension, say the same for ever as indexes must, and name everything they use, because
-- indexes are built and restored without a search path.

/* What is compared: compatible signs as one (ﬁ, ２, ª), small letters, no marks, and letters that no form takes apart by
   their nearest ones. Texts of ASCII alone, the most, take the short way. */
create function searched_text(value text) returns text
language sql immutable parallel safe
return case
  when octet_length(value) = length(value) then lower(value collate "C") collate "default"
  else replace(replace(replace(
    translate(
      regexp_replace(
        lower(normalize(value, NFKD) collate "und-x-icu") collate "default", U&'[\0300-\036F]', '', 'g'),
      'łøđħŧıðþς', 'lodhtidtσ'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
end;

/* A pattern for `like` that finds a text anywhere, whatever signs are in it. */
create function search_pattern(term text) returns text
language sql immutable parallel safe
return '%' || regexp_replace(searched_text(term), '([\\%_])', '\\\1', 'g') || '%';

/* The signs of a folded text and its pairs of neighbours: what trigrams say nothing of. Its price is told, so that
   PostgreSQL does not read many rows by it. */
create function searched_parts(value text) returns text[]
language plpgsql immutable strict parallel safe cost 1000
as $$
begin
  return string_to_array(value, null)
    || string_to_array(regexp_replace(value, '(..)', E'\\1\x01', 'g'), E'\x01')
    || string_to_array(regexp_replace(substr(value, 2), '(..)', E'\\1\x01', 'g'), E'\x01');
end
$$;

/* Those parts that every text has in which the term is. Of one or two signs it is the term, and the parts say all. */
create function search_parts(term text) returns text[]
language plpgsql immutable strict parallel safe
as $$
declare
  folded text := public.searched_text(term);
begin
  if length(folded) < 3 then
    return array[folded];
  end if;
  return array(select substr(folded, place, 2) from generate_series(1, length(folded) - 1) place);
end
$$;
