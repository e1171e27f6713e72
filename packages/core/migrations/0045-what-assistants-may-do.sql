-- Control tables, of few rows. What AI assistants may do for an organization, and with a key of it: nothing, read, or
-- all; with which sets of tools, where null is every set, also those that come with later versions.
alter table organizations
  add column assistant_access text not null default 'all',
  add column assistant_tool_sets text[],
  add constraint organizations_assistant_access check (assistant_access in ('off', 'read', 'all')) not valid;
alter table api_keys
  add column assistant_access text not null default 'all',
  add column assistant_tool_sets text[],
  add constraint api_keys_assistant_access check (assistant_access in ('off', 'read', 'all')) not valid;
