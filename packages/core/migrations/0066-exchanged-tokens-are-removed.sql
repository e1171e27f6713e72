-- each statement by itself
-- Control table. Refresh tokens that were exchanged are removed in the order in which they were.
drop index concurrently if exists oauth_refresh_tokens_rotated;
create index concurrently oauth_refresh_tokens_rotated on oauth_refresh_tokens (rotated_at)
  where rotated_at is not null;
