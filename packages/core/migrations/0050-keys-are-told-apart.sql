-- A control table, of few rows. By the last characters of a key people tell which one it is; of one made before they are not
-- known. Whether the operator made it by a command, or its owner in the console; likewise.
alter table api_keys
  add column last_characters text,
  add column by_operator boolean;
