-- each statement by itself
-- Control tables: which program a credential was used with, and which platforms of automation ever called with it.
alter table api_keys
  -- The program of the last use, as it introduced itself, shortened.
  add column if not exists last_used_by text,
  add column if not exists platforms text[] not null default '{}';
alter table oauth_connections
  add column if not exists last_used_by text,
  add column if not exists platforms text[] not null default '{}';

-- What was taken for connected before stays so: the hooks that Zapier and the nodes of n8n have made, which may never call
-- again but for the events that are sent to them, and the applications that an operator registered under their names.
update api_keys k set platforms = platforms || '{n8n}'
where 'n8n' <> all (platforms) and exists (
  select from webhooks w
  where w.organization_id = k.organization_id and w.api_key_id = k.id and w.name like 'n8n: %');
update api_keys k set platforms = platforms || '{zapier}'
where 'zapier' <> all (platforms) and exists (
  select from webhooks w
  where w.organization_id = k.organization_id and w.api_key_id = k.id
    and w.target_url ~* '^https?://([^/?#@]+\.)?zapier\.com(:[0-9]+)?([/?#]|$)');
update oauth_connections c set platforms = platforms || '{n8n}'
where ended_at is null and 'n8n' <> all (platforms)
  and exists (select from oauth_apps a where a.client_id = c.client_id and a.name ~* 'n8n');
update oauth_connections c set platforms = platforms || '{zapier}'
where ended_at is null and 'zapier' <> all (platforms)
  and exists (select from oauth_apps a where a.client_id = c.client_id and a.name ~* 'zapier');
