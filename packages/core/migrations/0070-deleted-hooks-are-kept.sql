-- Programs that know 0056 live with it: they give every webhook a secret, and never take it away.
-- Control table. A REST hook that its own credential deletes is kept for a day, so that a new subscription of that credential to the
-- same target gets what was still to be delivered. It is disabled as one that failed is, which programs of the version before know:
-- they hold its events and send it nothing.
alter table webhooks
  -- Null while it lives.
  add column deleted_at timestamptz(3),
  -- Of a deleted one it is gone at once.
  alter column secret drop not null,
  add constraint webhooks_secret check (secret is not null or deleted_at is not null) not valid;
