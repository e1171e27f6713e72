-- Control table, of few rows. A webhook can be told only what it wants: what its maker asked for, and the condition on the
-- facts of an event that follows from it. Null where nothing is asked for.
alter table webhooks
  add column filters jsonb,
  add column changed_fields text[],
  add column condition jsonpath,
  add constraint webhooks_condition check ((condition is null) = (filters is null and changed_fields is null)) not valid;
