-- Control table, of few rows. What owners ask of a webhook made by hand besides its events.
alter table webhooks
  -- Encrypted: the names and values of headers that every delivery carries.
  add column headers bytea,
  -- Encrypted: the private Ed25519 key that signs beside the secret, and the one before it, which ends with the former
  -- secret. The public one is no secret.
  add column signing_key bytea,
  add column previous_signing_key bytea,
  add column public_key text,
  add column max_per_minute integer,
  -- When the next attempt may begin; null before the first.
  add column paced_until timestamptz(3),
  add constraint webhooks_key_pair check ((signing_key is null) = (public_key is null)) not valid;
