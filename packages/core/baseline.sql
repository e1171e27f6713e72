-- Stands for the migrations up to 0059-tables-can-be-distributed.sql, and makes the same of an empty database.
-- Written by `npm run baseline`; why something is as it is stands in the migration that made it.

CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE FUNCTION public.searched_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(value) = length(value)) THEN (lower((value COLLATE "C")) COLLATE "default") ELSE replace(replace(replace(translate(regexp_replace((lower((NORMALIZE(value, NFKD) COLLATE "und-x-icu")) COLLATE "default"), '[̀-ͯ]'::text, ''::text, 'g'::text), 'łøđħŧıðþς'::text, 'lodhtidtσ'::text), 'ß'::text, 'ss'::text), 'æ'::text, 'ae'::text), 'œ'::text, 'oe'::text) END;

CREATE FUNCTION public.search_pattern(term text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (('%'::text || regexp_replace(searched_text(term), '([\\%_])'::text, '\\\1'::text, 'g'::text)) || '%'::text);

CREATE FUNCTION public.searched_parts(value text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 1000
AS $function$
begin
  return string_to_array(value, null)
    || string_to_array(regexp_replace(value, '(..)', E'\\1\x01', 'g'), E'\x01')
    || string_to_array(regexp_replace(substr(value, 2), '(..)', E'\\1\x01', 'g'), E'\x01');
end
$function$;

CREATE FUNCTION public.search_parts(term text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  folded text := public.searched_text(term);
begin
  if length(folded) < 3 then
    return array[folded];
  end if;
  return array(select substr(folded, place, 2) from generate_series(1, length(folded) - 1) place);
end
$function$;

CREATE TABLE installation (
  id boolean DEFAULT true NOT NULL,
  environment text,
  deliveries_paused_at timestamp(3) with time zone,
  secrets_bound_at timestamp(3) with time zone,
  deliveries_paused_reason text,
  event_era smallint DEFAULT 1 NOT NULL,
  name uuid,
  CONSTRAINT installation_pkey PRIMARY KEY (id),
  CONSTRAINT installation_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
  CONSTRAINT installation_id_check CHECK (id)
);

CREATE FUNCTION public.current_event_era()
 RETURNS smallint
 LANGUAGE sql
 STABLE
RETURN (SELECT installation.event_era FROM installation);

CREATE FUNCTION public.search_keys(identifiers text[], phones text[])
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
$function$;

CREATE FUNCTION public.keep_moving_organization()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  moving constant uuid := tg_argv[0];
  since timestamptz;
  ended timestamptz;
begin
  if current_setting('application_name') = 'move of an organization' then
    return coalesce(new, old);
  end if;
  -- By itself, since the columns are those of the trigger's table.
  if tg_table_name = 'users' then
    if not exists (select from public.memberships m where m.organization_id = moving and m.person_id = old.id) then
      return coalesce(new, old);
    end if;
  end if;
  select o.moved_at, o.move_ended_at into since, ended from public.organizations o where o.id = moving;
  if since is null or tg_table_name = 'users' then
    if pg_try_advisory_xact_lock_shared(tg_argv[1]::bigint) then
      return coalesce(new, old);
    end if;
  elsif ended is not null and tg_op = 'DELETE' then
    return old;
  end if;
  -- What workers write is about many organizations at once: the rows of this one are left as they are. An erasure has to
  -- get on, or it would begin again and again.
  if current_setting('application_name') in (
       'dealkeep upkeep', 'dealkeep claims', 'dealkeep results', 'dealkeep delivery log')
     and (tg_op <> 'INSERT' or tg_table_name in ('deliveries', 'held_events', 'attempts'))
     and tg_table_name <> 'erasures' then
    return null;
  end if;
  raise exception 'The organization % is being moved to another installation', moving
    using errcode = 'lock_not_available', constraint = 'organization_moves';
end $function$;

CREATE SEQUENCE worker_ids AS integer CYCLE;

CREATE TABLE organizations (
  id uuid NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  country_code text NOT NULL,
  currency text NOT NULL,
  time_zone text NOT NULL,
  subscription text DEFAULT 'active'::text NOT NULL,
  requests_per_minute integer,
  org_requests_per_minute integer,
  max_webhooks integer NOT NULL,
  max_keys integer NOT NULL,
  directory_version bigint DEFAULT 1 NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  makes_tags boolean DEFAULT true NOT NULL,
  assistant_access text DEFAULT 'all'::text NOT NULL,
  assistant_tool_sets text[],
  storage_bytes bigint,
  max_storage_mb integer,
  storage_state text,
  street text,
  city text,
  postal_code text,
  registration_id text,
  tax_id text,
  vat_id text,
  bank_account text,
  moved_at timestamp(3) with time zone,
  moved_to text,
  moved_into uuid,
  move_ended_at timestamp(3) with time zone,
  CONSTRAINT organizations_pkey PRIMARY KEY (id),
  CONSTRAINT organizations_slug_key UNIQUE (slug),
  CONSTRAINT organizations_assistant_access CHECK ((assistant_access = ANY (ARRAY['off'::text, 'read'::text, 'all'::text]))),
  CONSTRAINT organizations_subscription_check CHECK ((subscription = ANY (ARRAY['active'::text, 'lapsed'::text])))
);

CREATE TABLE roles (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  permissions jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT roles_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT roles_organization_id_name_key UNIQUE (organization_id, name)
);

CREATE TABLE memberships (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  role_id uuid,
  active boolean DEFAULT true NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  language text,
  last_signed_in_at timestamp(3) with time zone,
  person_id uuid NOT NULL,
  guide_dismissed_at timestamp(3) with time zone,
  CONSTRAINT memberships_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT memberships_language_check CHECK ((language = ANY (ARRAY['en'::text, 'sk'::text])))
);
CREATE INDEX memberships_created ON public.memberships USING btree (organization_id, created_at, id);
CREATE UNIQUE INDEX memberships_person ON public.memberships USING btree (person_id, organization_id);

CREATE TABLE api_keys (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  token_hash bytea NOT NULL,
  scopes text[] NOT NULL,
  legacy boolean DEFAULT false NOT NULL,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL,
  last_used_by text,
  platforms text[] DEFAULT '{}'::text[] NOT NULL,
  assistant_access text DEFAULT 'all'::text NOT NULL,
  assistant_tool_sets text[],
  last_characters text,
  by_operator boolean,
  CONSTRAINT api_keys_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT api_keys_token_hash_key UNIQUE (token_hash),
  CONSTRAINT api_keys_assistant_access CHECK ((assistant_access = ANY (ARRAY['off'::text, 'read'::text, 'all'::text])))
);

CREATE TABLE webhooks (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  api_key_id uuid,
  name text,
  target_url text NOT NULL,
  events text[] NOT NULL,
  secret bytea NOT NULL,
  failing_since timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL,
  idle_since timestamp(3) with time zone,
  disabled_reason text,
  disabled_at timestamp(3) with time zone,
  last_success_at timestamp(3) with time zone,
  failing_told_at timestamp(3) with time zone,
  dropped_events integer DEFAULT 0 NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamp(3) with time zone,
  oauth_connection_id uuid,
  filters jsonb,
  changed_fields text[],
  condition jsonpath,
  headers bytea,
  signing_key bytea,
  previous_signing_key bytea,
  public_key text,
  max_per_minute integer,
  paced_until timestamp(3) with time zone,
  CONSTRAINT webhooks_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT webhooks_check CHECK (((disabled_reason IS NULL) = (disabled_at IS NULL))),
  CONSTRAINT webhooks_check1 CHECK (((previous_secret IS NULL) = (previous_secret_until IS NULL))),
  CONSTRAINT webhooks_check2 CHECK (((api_key_id IS NULL) OR (oauth_connection_id IS NULL))),
  CONSTRAINT webhooks_condition CHECK (((condition IS NULL) = ((filters IS NULL) AND (changed_fields IS NULL)))),
  CONSTRAINT webhooks_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['gone'::text, 'failing'::text, 'by_hand'::text]))),
  CONSTRAINT webhooks_key_pair CHECK (((signing_key IS NULL) = (public_key IS NULL)))
);
CREATE INDEX webhooks_connection ON public.webhooks USING btree (organization_id, oauth_connection_id) WHERE (oauth_connection_id IS NOT NULL);

CREATE TABLE deliveries (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  event_id text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  worker_id integer,
  created_at timestamp(3) with time zone NOT NULL,
  in_order boolean DEFAULT false NOT NULL,
  by_hand boolean DEFAULT false NOT NULL,
  extra_attempts integer DEFAULT 0 NOT NULL,
  retry_at timestamp(3) with time zone,
  CONSTRAINT deliveries_pkey PRIMARY KEY (webhook_id, id),
  CONSTRAINT deliveries_check1 CHECK ((by_hand OR (retry_at IS NULL)))
) WITH (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=10000, autovacuum_vacuum_cost_delay=0, fillfactor=80);
CREATE UNIQUE INDEX deliveries_in_order ON public.deliveries USING btree (webhook_id) WHERE in_order;
CREATE UNIQUE INDEX deliveries_by_hand ON public.deliveries USING btree (webhook_id, event_id) WHERE by_hand;
CREATE INDEX deliveries_due ON public.deliveries USING btree (webhook_id, due_at, event_id);

CREATE TABLE idempotent_answers (
  organization_id uuid NOT NULL,
  credential_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  fingerprint bytea NOT NULL,
  answer bytea NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT idempotent_answers_pkey PRIMARY KEY (organization_id, credential_id, idempotency_key)
);
CREATE INDEX idempotent_answers_age ON public.idempotent_answers USING btree (created_at);

CREATE TABLE tags (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  color text,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT tags_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT tags_organization_id_name_key UNIQUE (organization_id, name)
);

CREATE TABLE custom_field_groups (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT custom_field_groups_pkey PRIMARY KEY (organization_id, id)
);

CREATE TABLE custom_fields (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  description text,
  required boolean DEFAULT false NOT NULL,
  type text NOT NULL,
  group_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  choices text[],
  CONSTRAINT custom_fields_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT custom_fields_organization_id_name_key UNIQUE (organization_id, name),
  CONSTRAINT custom_fields_type CHECK ((type = ANY (ARRAY['text'::text, 'number'::text, 'date'::text, 'checkbox'::text, 'choice'::text])))
);

CREATE TABLE pipelines (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  is_default boolean DEFAULT false NOT NULL,
  require_lost_reason boolean DEFAULT false NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT pipelines_pkey PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX pipelines_default ON public.pipelines USING btree (organization_id) WHERE is_default;

CREATE TABLE stages (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  pipeline_id uuid NOT NULL,
  name text NOT NULL,
  color text,
  kind text NOT NULL,
  probability integer NOT NULL,
  "position" integer NOT NULL,
  CONSTRAINT stages_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT stages_organization_id_pipeline_id_id_key UNIQUE (organization_id, pipeline_id, id),
  CONSTRAINT stages_organization_id_pipeline_id_id_kind_key UNIQUE (organization_id, pipeline_id, id, kind),
  CONSTRAINT stages_kind_check CHECK ((kind = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text]))),
  CONSTRAINT stages_probability_check CHECK (((probability >= 0) AND (probability <= 100)))
);

CREATE TABLE lead_origins (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  archived_at timestamp(3) with time zone,
  CONSTRAINT lead_origins_pkey PRIMARY KEY (organization_id, id)
);

CREATE TABLE lost_reasons (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  archived_at timestamp(3) with time zone,
  CONSTRAINT lost_reasons_pkey PRIMARY KEY (organization_id, id)
);

CREATE TABLE companies (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  street text,
  city text,
  postal_code text,
  country_code text,
  email text,
  phone text,
  registration_id text,
  tax_id text,
  vat_id text,
  note text,
  owner_id uuid,
  tag_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  custom_fields jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  erased_at timestamp(3) with time zone,
  CONSTRAINT companies_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT companies_erased CHECK (((erased_at IS NULL) OR ((name = '[erased]'::text) AND (num_nonnulls(street, city, postal_code, email, phone, registration_id, tax_id, vat_id, note) = 0) AND (tag_ids = '{}'::uuid[]) AND (custom_fields = '{}'::jsonb))))
);
CREATE INDEX companies_created ON public.companies USING btree (organization_id, created_at, id);
CREATE INDEX companies_updated ON public.companies USING btree (organization_id, updated_at, id);
CREATE INDEX companies_lower_name ON public.companies USING btree (organization_id, lower(name));
CREATE INDEX companies_email ON public.companies USING btree (organization_id, lower(email)) WHERE (email IS NOT NULL);
CREATE INDEX companies_registration ON public.companies USING btree (organization_id, registration_id) WHERE (registration_id IS NOT NULL);
CREATE INDEX companies_by_name ON public.companies USING btree (organization_id, name COLLATE "sk-x-icu", id);
CREATE INDEX companies_tax ON public.companies USING btree (organization_id, tax_id) WHERE (tax_id IS NOT NULL);
CREATE INDEX companies_vat ON public.companies USING btree (organization_id, vat_id) WHERE (vat_id IS NOT NULL);
CREATE INDEX companies_custom_fields ON public.companies USING gin (custom_fields jsonb_path_ops) WITH (gin_pending_list_limit='256');
CREATE INDEX companies_titled ON public.companies USING btree (organization_id, "left"(searched_text(name), 60) COLLATE "C", updated_at DESC);
CREATE INDEX companies_keyed ON public.companies USING gin (search_keys(ARRAY[registration_id, tax_id, vat_id, email], ARRAY[phone])) WITH (gin_pending_list_limit='256');
CREATE INDEX companies_text ON public.companies USING gin ((ARRAY[organization_id]), searched_text(((COALESCE(name, ''::text) || '
'::text) || COALESCE(registration_id, ''::text))) gin_trgm_ops, searched_parts(searched_text(((COALESCE(name, ''::text) || '
'::text) || COALESCE(registration_id, ''::text))))) WITH (gin_pending_list_limit='256');

CREATE TABLE contacts (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  name text NOT NULL,
  email text,
  phone text,
  further_emails text[] DEFAULT '{}'::text[] NOT NULL,
  further_phones text[] DEFAULT '{}'::text[] NOT NULL,
  "position" text,
  is_primary boolean DEFAULT false NOT NULL,
  note text,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  erased_at timestamp(3) with time zone,
  CONSTRAINT contacts_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT contacts_erased CHECK (((erased_at IS NULL) OR ((name = '[erased]'::text) AND (num_nonnulls(email, phone, "position", note) = 0) AND (further_emails = '{}'::text[]) AND (further_phones = '{}'::text[]))))
);
CREATE INDEX contacts_created ON public.contacts USING btree (organization_id, created_at, id);
CREATE INDEX contacts_updated ON public.contacts USING btree (organization_id, updated_at, id);
CREATE INDEX contacts_email ON public.contacts USING btree (organization_id, lower(email)) WHERE (email IS NOT NULL);
CREATE UNIQUE INDEX contacts_primary ON public.contacts USING btree (organization_id, company_id) WHERE is_primary;
CREATE INDEX contacts_by_name ON public.contacts USING btree (organization_id, name COLLATE "sk-x-icu", id);
CREATE INDEX contacts_company ON public.contacts USING btree (organization_id, company_id, created_at, id);
CREATE INDEX contacts_phone ON public.contacts USING btree (organization_id, phone) WHERE (phone IS NOT NULL);
CREATE INDEX contacts_titled ON public.contacts USING btree (organization_id, "left"(searched_text(name), 60) COLLATE "C", updated_at DESC);
CREATE INDEX contacts_keyed ON public.contacts USING gin (search_keys((ARRAY[email] || further_emails), (ARRAY[phone] || further_phones))) WITH (gin_pending_list_limit='256');
CREATE INDEX contacts_text ON public.contacts USING gin ((ARRAY[organization_id]), searched_text(((((COALESCE(name, ''::text) || '
'::text) || COALESCE(email, ''::text)) || '
'::text) || COALESCE(phone, ''::text))) gin_trgm_ops, searched_parts(searched_text(((((COALESCE(name, ''::text) || '
'::text) || COALESCE(email, ''::text)) || '
'::text) || COALESCE(phone, ''::text))))) WITH (gin_pending_list_limit='256');

CREATE TABLE clients (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  owner_id uuid,
  note text,
  reference_code text,
  reference_name text,
  reference_valid_until date,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  erased_at timestamp(3) with time zone,
  CONSTRAINT clients_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT clients_organization_id_company_id_key UNIQUE (organization_id, company_id),
  CONSTRAINT clients_erased CHECK (((erased_at IS NULL) OR (num_nonnulls(note, reference_code, reference_name) = 0)))
);
CREATE INDEX clients_created ON public.clients USING btree (organization_id, created_at, id);
CREATE INDEX clients_updated ON public.clients USING btree (organization_id, updated_at, id);
CREATE INDEX clients_reference ON public.clients USING btree (organization_id, reference_code) WHERE (reference_code IS NOT NULL);
CREATE INDEX clients_titled ON public.clients USING btree (organization_id, "left"(searched_text(reference_code), 60) COLLATE "C", updated_at DESC);
CREATE INDEX clients_keyed ON public.clients USING gin (search_keys(ARRAY[reference_code], '{}'::text[])) WITH (gin_pending_list_limit='256');
CREATE INDEX clients_text ON public.clients USING gin ((ARRAY[organization_id]), searched_text(((COALESCE(reference_code, ''::text) || '
'::text) || COALESCE(reference_name, ''::text))) gin_trgm_ops, searched_parts(searched_text(((COALESCE(reference_code, ''::text) || '
'::text) || COALESCE(reference_name, ''::text))))) WITH (gin_pending_list_limit='256');

CREATE TABLE leads (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text,
  value numeric(15,2),
  acquisition_cost numeric(15,2),
  expected_close_date date,
  note text,
  tag_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  company_id uuid,
  contact_id uuid,
  owner_id uuid,
  assignee_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  origin_id uuid,
  pipeline_id uuid NOT NULL,
  stage_id uuid NOT NULL,
  status text NOT NULL,
  stage_entered_at timestamp(3) with time zone NOT NULL,
  won_at timestamp(3) with time zone,
  lost_at timestamp(3) with time zone,
  lost_reason_id uuid,
  lost_note text,
  archived_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  erased_at timestamp(3) with time zone,
  CONSTRAINT leads_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT leads_erased CHECK (((erased_at IS NULL) OR ((COALESCE(name, '[erased]'::text) = '[erased]'::text) AND (num_nonnulls(note, lost_note) = 0) AND (tag_ids = '{}'::uuid[])))),
  CONSTRAINT leads_status_check CHECK ((status = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text])))
);
CREATE INDEX leads_created ON public.leads USING btree (organization_id, created_at, id);
CREATE INDEX leads_updated ON public.leads USING btree (organization_id, updated_at, id);
CREATE INDEX leads_value ON public.leads USING btree (organization_id, value, id);
CREATE INDEX leads_expected_close_date ON public.leads USING btree (organization_id, expected_close_date, id);
CREATE INDEX leads_company ON public.leads USING btree (organization_id, company_id, created_at, id);
CREATE INDEX leads_stage ON public.leads USING btree (organization_id, stage_id, created_at, id);
CREATE INDEX leads_by_name ON public.leads USING btree (organization_id, name COLLATE "sk-x-icu", id);
CREATE INDEX leads_titled ON public.leads USING btree (organization_id, "left"(searched_text(name), 60) COLLATE "C", updated_at DESC);
CREATE INDEX leads_text ON public.leads USING gin ((ARRAY[organization_id]), searched_text(name) gin_trgm_ops, searched_parts(searched_text(name))) WITH (gin_pending_list_limit='256');
CREATE INDEX leads_owner ON public.leads USING btree (organization_id, owner_id, created_at, id);
CREATE INDEX leads_of_contact ON public.leads USING btree (organization_id, contact_id, created_at, id) WHERE (contact_id IS NOT NULL);
CREATE INDEX leads_open ON public.leads USING btree (organization_id, owner_id) INCLUDE (value) WHERE ((status = 'open'::text) AND (archived_at IS NULL));
CREATE INDEX leads_won ON public.leads USING btree (organization_id, won_at) INCLUDE (value, owner_id) WHERE (won_at IS NOT NULL);
CREATE INDEX leads_counted ON public.leads USING btree (organization_id, stage_id) INCLUDE (value) WHERE (archived_at IS NULL);
CREATE STATISTICS public.leads_owners (dependencies) ON organization_id, owner_id FROM leads;
CREATE STATISTICS public.leads_pipelines (dependencies) ON organization_id, pipeline_id FROM leads;
CREATE STATISTICS public.leads_stages (dependencies) ON organization_id, stage_id FROM leads;

CREATE TABLE events (
  organization_id uuid NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL,
  envelope text NOT NULL,
  test boolean DEFAULT false NOT NULL,
  transaction_id xid8 DEFAULT pg_current_xact_id(),
  era smallint DEFAULT current_event_era() NOT NULL,
  audit_entry_id uuid,
  CONSTRAINT events_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX events_occurred ON public.events USING btree (organization_id, occurred_at);
CREATE INDEX events_place ON public.events USING btree (organization_id, era, transaction_id, id);
CREATE INDEX events_of_record ON public.events USING btree (organization_id, record_id, occurred_at);
CREATE INDEX events_test ON public.events USING btree (organization_id, occurred_at) WHERE test;

CREATE TABLE attempts (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  event_id text NOT NULL,
  number integer NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  duration_ms integer NOT NULL,
  status integer,
  response_start text,
  event_type text,
  failure text,
  failure_detail text,
  next_attempt_at timestamp(3) with time zone,
  by_hand boolean DEFAULT false NOT NULL
);
CREATE INDEX attempts_webhook ON public.attempts USING btree (organization_id, webhook_id, started_at, id);
CREATE INDEX attempts_type ON public.attempts USING btree (organization_id, event_type, started_at, id);
CREATE INDEX attempts_event ON public.attempts USING btree (organization_id, event_id, webhook_id, number, id);
CREATE INDEX attempts_failed ON public.attempts USING btree (organization_id, started_at, id) WHERE ((COALESCE(status, 0) < 200) OR (COALESCE(status, 0) > 299));
CREATE INDEX attempts_webhook_failed ON public.attempts USING btree (organization_id, webhook_id, started_at, id) WHERE ((COALESCE(status, 0) < 200) OR (COALESCE(status, 0) > 299));
ALTER TABLE attempts ADD CONSTRAINT attempts_pkey PRIMARY KEY (organization_id, started_at, id);
CREATE INDEX attempts_other_success ON public.attempts USING btree (organization_id, status, started_at, id) WHERE ((status >= 201) AND (status <= 299));
CREATE INDEX attempts_planned ON public.attempts USING btree (organization_id, started_at, id) WHERE (next_attempt_at IS NOT NULL);

CREATE TABLE worker_activity (
  seen_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE document_numbers (
  organization_id uuid NOT NULL,
  series text NOT NULL,
  year integer NOT NULL,
  last integer NOT NULL,
  CONSTRAINT document_numbers_pkey PRIMARY KEY (organization_id, series, year),
  CONSTRAINT document_numbers_series_check CHECK ((series = ANY (ARRAY['invoice'::text, 'quote'::text, 'order'::text])))
);

CREATE TABLE activity_types (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  archived_at timestamp(3) with time zone,
  CONSTRAINT activity_types_pkey PRIMARY KEY (organization_id, id)
);

CREATE TABLE activities (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  importance text NOT NULL,
  start_at timestamp(3) with time zone,
  end_at timestamp(3) with time zone,
  completed_at timestamp(3) with time zone,
  location text,
  note text,
  video_call_url text,
  type_id uuid,
  owner_id uuid NOT NULL,
  assignee_id uuid,
  company_id uuid,
  contact_id uuid,
  lead_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT activities_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT activities_check CHECK ((end_at >= start_at)),
  CONSTRAINT activities_importance_check CHECK ((importance = ANY (ARRAY['low'::text, 'normal'::text, 'high'::text]))),
  CONSTRAINT activities_status_check CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text, 'canceled'::text])))
);
CREATE INDEX activities_created ON public.activities USING btree (organization_id, created_at, id);
CREATE INDEX activities_updated ON public.activities USING btree (organization_id, updated_at, id);
CREATE INDEX activities_start ON public.activities USING btree (organization_id, start_at, id);
CREATE INDEX activities_assignee ON public.activities USING btree (organization_id, assignee_id, created_at, id);
CREATE INDEX activities_company ON public.activities USING btree (organization_id, company_id, created_at, id);
CREATE INDEX activities_lead ON public.activities USING btree (organization_id, lead_id, created_at, id) WHERE (lead_id IS NOT NULL);
CREATE INDEX activities_titled ON public.activities USING btree (organization_id, "left"(searched_text(name), 60) COLLATE "C", updated_at DESC);
CREATE INDEX activities_text ON public.activities USING gin ((ARRAY[organization_id]), searched_text(name) gin_trgm_ops, searched_parts(searched_text(name))) WITH (gin_pending_list_limit='256');
CREATE INDEX activities_of_contact ON public.activities USING btree (organization_id, contact_id, created_at, id) WHERE (contact_id IS NOT NULL);

CREATE TABLE projects (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  archived_at timestamp(3) with time zone,
  CONSTRAINT projects_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT projects_status_check CHECK ((status = ANY (ARRAY['active'::text, 'on_hold'::text, 'closed'::text])))
);

CREATE TABLE project_stages (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  name text NOT NULL,
  category text NOT NULL,
  "position" integer NOT NULL,
  CONSTRAINT project_stages_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT project_stages_organization_id_project_id_id_key UNIQUE (organization_id, project_id, id),
  CONSTRAINT project_stages_category_check CHECK ((category = ANY (ARRAY['to_do'::text, 'in_progress'::text, 'done'::text])))
);

CREATE TABLE tasks (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  title text NOT NULL,
  description text,
  priority text NOT NULL,
  start_date date,
  due_date date,
  due_time time(0) without time zone,
  due_local timestamp(0) without time zone GENERATED ALWAYS AS ((due_date + COALESCE(due_time, '24:00:00'::time without time zone))) STORED,
  overdue_told_of timestamp(0) without time zone,
  completed_at timestamp(3) with time zone,
  archived_at timestamp(3) with time zone,
  assignee_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  company_id uuid,
  lead_id uuid,
  project_id uuid,
  stage_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT tasks_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT tasks_check CHECK (((stage_id IS NULL) OR (project_id IS NOT NULL))),
  CONSTRAINT tasks_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'normal'::text, 'high'::text])))
);
CREATE INDEX tasks_created ON public.tasks USING btree (organization_id, created_at, id);
CREATE INDEX tasks_updated ON public.tasks USING btree (organization_id, updated_at, id);
CREATE INDEX tasks_due_date ON public.tasks USING btree (organization_id, due_date, id);
CREATE INDEX tasks_assignees ON public.tasks USING gin (assignee_ids);
CREATE INDEX tasks_project ON public.tasks USING btree (organization_id, project_id, stage_id) WHERE (project_id IS NOT NULL);
CREATE INDEX tasks_overdue ON public.tasks USING btree (due_local) WHERE ((completed_at IS NULL) AND (archived_at IS NULL) AND ((overdue_told_of IS NULL) OR (overdue_told_of <> due_local)));
CREATE INDEX tasks_by_title ON public.tasks USING btree (organization_id, title COLLATE "sk-x-icu", id);
CREATE INDEX tasks_titled ON public.tasks USING btree (organization_id, "left"(searched_text(title), 60) COLLATE "C", updated_at DESC);
CREATE INDEX tasks_text ON public.tasks USING gin ((ARRAY[organization_id]), searched_text(title) gin_trgm_ops, searched_parts(searched_text(title))) WITH (gin_pending_list_limit='256');
CREATE INDEX tasks_of_company ON public.tasks USING btree (organization_id, company_id, created_at, id) WHERE (company_id IS NOT NULL);
CREATE INDEX tasks_of_lead ON public.tasks USING btree (organization_id, lead_id, created_at, id) WHERE (lead_id IS NOT NULL);
CREATE INDEX tasks_open ON public.tasks USING btree (organization_id, due_date, id) WHERE ((completed_at IS NULL) AND (archived_at IS NULL));

CREATE TABLE invoices (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  number text,
  status text NOT NULL,
  currency text NOT NULL,
  issued_date date,
  due_date date,
  paid_at timestamp(3) with time zone,
  subtotal numeric(18,2) NOT NULL,
  vat_amount numeric(18,2) NOT NULL,
  total numeric(18,2) NOT NULL,
  paid_amount numeric(18,2) DEFAULT 0 NOT NULL,
  variable_symbol text,
  client_id uuid,
  company_id uuid,
  items jsonb NOT NULL,
  note text,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT invoices_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT invoices_organization_id_number_key UNIQUE (organization_id, number),
  CONSTRAINT invoices_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'issued'::text, 'paid'::text, 'overdue'::text, 'cancelled'::text])))
);
CREATE INDEX invoices_created ON public.invoices USING btree (organization_id, created_at, id);
CREATE INDEX invoices_updated ON public.invoices USING btree (organization_id, updated_at, id);
CREATE INDEX invoices_issued ON public.invoices USING btree (organization_id, issued_date, id);
CREATE INDEX invoices_due ON public.invoices USING btree (organization_id, due_date, id);
CREATE INDEX invoices_total ON public.invoices USING btree (organization_id, total, id);
CREATE INDEX invoices_symbol ON public.invoices USING btree (organization_id, variable_symbol) WHERE (variable_symbol IS NOT NULL);
CREATE INDEX invoices_overdue ON public.invoices USING btree (due_date) WHERE (status = 'issued'::text);
CREATE INDEX invoices_titled ON public.invoices USING btree (organization_id, "left"(searched_text(number), 60) COLLATE "C", updated_at DESC);
CREATE INDEX invoices_keyed ON public.invoices USING gin (search_keys(ARRAY[number, variable_symbol], '{}'::text[])) WITH (gin_pending_list_limit='256');
CREATE INDEX invoices_text ON public.invoices USING gin ((ARRAY[organization_id]), searched_text(number) gin_trgm_ops, searched_parts(searched_text(number))) WITH (gin_pending_list_limit='256');
CREATE INDEX invoices_of_client ON public.invoices USING btree (organization_id, client_id, created_at, id) WHERE (client_id IS NOT NULL);
CREATE INDEX invoices_of_company ON public.invoices USING btree (organization_id, company_id, created_at, id) WHERE (company_id IS NOT NULL);
CREATE INDEX invoices_late ON public.invoices USING btree (organization_id, due_date, id) INCLUDE (currency, total, paid_amount) WHERE (status = 'overdue'::text);

CREATE TABLE quotes (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  number text,
  status text NOT NULL,
  currency text NOT NULL,
  subtotal numeric(18,2) NOT NULL,
  vat_amount numeric(18,2) NOT NULL,
  total numeric(18,2) NOT NULL,
  valid_until date,
  company_id uuid,
  client_id uuid,
  lead_id uuid,
  items jsonb NOT NULL,
  accepted_at timestamp(3) with time zone,
  rejected_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT quotes_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT quotes_organization_id_number_key UNIQUE (organization_id, number),
  CONSTRAINT quotes_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'sent'::text, 'accepted'::text, 'rejected'::text])))
);
CREATE INDEX quotes_created ON public.quotes USING btree (organization_id, created_at, id);
CREATE INDEX quotes_updated ON public.quotes USING btree (organization_id, updated_at, id);
CREATE INDEX quotes_titled ON public.quotes USING btree (organization_id, "left"(searched_text(number), 60) COLLATE "C", updated_at DESC);
CREATE INDEX quotes_keyed ON public.quotes USING gin (search_keys(ARRAY[number], '{}'::text[])) WITH (gin_pending_list_limit='256');
CREATE INDEX quotes_text ON public.quotes USING gin ((ARRAY[organization_id]), searched_text(number) gin_trgm_ops, searched_parts(searched_text(number))) WITH (gin_pending_list_limit='256');
CREATE INDEX quotes_of_client ON public.quotes USING btree (organization_id, client_id, created_at, id) WHERE (client_id IS NOT NULL);
CREATE INDEX quotes_of_company ON public.quotes USING btree (organization_id, company_id, created_at, id) WHERE (company_id IS NOT NULL);
CREATE INDEX quotes_of_lead ON public.quotes USING btree (organization_id, lead_id, created_at, id) WHERE (lead_id IS NOT NULL);

CREATE TABLE booking_services (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  duration_minutes integer NOT NULL,
  price numeric(15,2),
  currency text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  archived_at timestamp(3) with time zone,
  CONSTRAINT booking_services_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT booking_services_duration_minutes_check CHECK ((duration_minutes > 0))
);

CREATE TABLE booking_staff (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  email text,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  archived_at timestamp(3) with time zone,
  CONSTRAINT booking_staff_pkey PRIMARY KEY (organization_id, id)
);

CREATE TABLE bookings (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  status text NOT NULL,
  source text NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  ends_at timestamp(3) with time zone NOT NULL,
  confirmed_at timestamp(3) with time zone,
  completed_at timestamp(3) with time zone,
  cancelled_at timestamp(3) with time zone,
  cancellation_reason text,
  price numeric(15,2),
  currency text,
  client_id uuid,
  lead_id uuid,
  service_id uuid NOT NULL,
  staff_id uuid,
  customer_name text NOT NULL,
  customer_email text,
  customer_phone text,
  customer_company text,
  notes text,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT bookings_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT bookings_overlap EXCLUDE USING gist (organization_id WITH =, staff_id WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE (((staff_id IS NOT NULL) AND (status = ANY (ARRAY['pending'::text, 'confirmed'::text, 'completed'::text])))),
  CONSTRAINT bookings_check CHECK ((ends_at > starts_at)),
  CONSTRAINT bookings_source_check CHECK ((source = ANY (ARRAY['api'::text, 'console'::text]))),
  CONSTRAINT bookings_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'confirmed'::text, 'completed'::text, 'cancelled'::text, 'no_show'::text])))
);
CREATE INDEX bookings_created ON public.bookings USING btree (organization_id, created_at, id);
CREATE INDEX bookings_updated ON public.bookings USING btree (organization_id, updated_at, id);
CREATE INDEX bookings_starts ON public.bookings USING btree (organization_id, starts_at, id);
CREATE INDEX bookings_titled ON public.bookings USING btree (organization_id, "left"(searched_text(customer_name), 60) COLLATE "C", updated_at DESC);
CREATE INDEX bookings_keyed ON public.bookings USING gin (search_keys(ARRAY[customer_email], ARRAY[customer_phone])) WITH (gin_pending_list_limit='256');
CREATE INDEX bookings_text ON public.bookings USING gin ((ARRAY[organization_id]), searched_text(((COALESCE(customer_name, ''::text) || '
'::text) || COALESCE(customer_email, ''::text))) gin_trgm_ops, searched_parts(searched_text(((COALESCE(customer_name, ''::text) || '
'::text) || COALESCE(customer_email, ''::text))))) WITH (gin_pending_list_limit='256');
CREATE INDEX bookings_of_client ON public.bookings USING btree (organization_id, client_id, created_at, id) WHERE (client_id IS NOT NULL);

CREATE TABLE products (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  sku text NOT NULL,
  ean text DEFAULT ''::text NOT NULL,
  name text NOT NULL,
  description text,
  price numeric(15,2),
  discounted_price numeric(15,2),
  vat_rate numeric(5,2) DEFAULT 0 NOT NULL,
  active boolean DEFAULT true NOT NULL,
  category_id uuid,
  stock_on_hand numeric DEFAULT 0 NOT NULL,
  stock_reserved numeric DEFAULT 0 NOT NULL,
  images jsonb DEFAULT '[]'::jsonb NOT NULL,
  attachments jsonb DEFAULT '[]'::jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT products_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT products_organization_id_sku_key UNIQUE (organization_id, sku)
);
CREATE INDEX products_created ON public.products USING btree (organization_id, created_at, id);
CREATE INDEX products_updated ON public.products USING btree (organization_id, updated_at, id);
CREATE INDEX products_price ON public.products USING btree (organization_id, price, id);
CREATE INDEX products_by_name ON public.products USING btree (organization_id, name COLLATE "sk-x-icu", id);
CREATE INDEX products_titled ON public.products USING btree (organization_id, "left"(searched_text(name), 60) COLLATE "C", updated_at DESC);
CREATE INDEX products_keyed ON public.products USING gin (search_keys(ARRAY[sku, ean], '{}'::text[])) WITH (gin_pending_list_limit='256');
CREATE INDEX products_text ON public.products USING gin ((ARRAY[organization_id]), searched_text(name) gin_trgm_ops, searched_parts(searched_text(name))) WITH (gin_pending_list_limit='256');

CREATE TABLE orders (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  internal_number text NOT NULL,
  external_id text,
  external_source text NOT NULL,
  status text NOT NULL,
  payment_status text NOT NULL,
  currency text NOT NULL,
  subtotal numeric(18,2) NOT NULL,
  discount_total numeric(18,2) NOT NULL,
  shipping_cost numeric(18,2) NOT NULL,
  vat_total numeric(18,2) NOT NULL,
  grand_total numeric(18,2) NOT NULL,
  cod_fee numeric(18,2),
  payment_method text,
  shipping_method text,
  customer_name text,
  customer_email text,
  customer_phone text,
  billing_address text,
  delivery_address text,
  notes text,
  client_id uuid,
  company_id uuid,
  invoice_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  confirmed_at timestamp(3) with time zone,
  paid_at timestamp(3) with time zone,
  shipped_at timestamp(3) with time zone,
  delivered_at timestamp(3) with time zone,
  cancelled_at timestamp(3) with time zone,
  CONSTRAINT orders_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT orders_organization_id_internal_number_key UNIQUE (organization_id, internal_number),
  CONSTRAINT orders_payment_status_check CHECK ((payment_status = ANY (ARRAY['unpaid'::text, 'pending'::text, 'paid'::text, 'refunded'::text, 'failed'::text]))),
  CONSTRAINT orders_status_check CHECK ((status = ANY (ARRAY['new'::text, 'confirmed'::text, 'picking'::text, 'packed'::text, 'ready_for_pickup'::text, 'shipped'::text, 'delivered'::text, 'cancelled'::text, 'returned'::text])))
);
CREATE UNIQUE INDEX orders_external ON public.orders USING btree (organization_id, external_source, external_id) WHERE (external_id <> ''::text);
CREATE INDEX orders_created ON public.orders USING btree (organization_id, created_at, id);
CREATE INDEX orders_updated ON public.orders USING btree (organization_id, updated_at, id);
CREATE INDEX orders_grand_total ON public.orders USING btree (organization_id, grand_total, id);
CREATE INDEX orders_customer_email ON public.orders USING btree (organization_id, lower(customer_email)) WHERE (customer_email IS NOT NULL);
CREATE INDEX orders_titled ON public.orders USING btree (organization_id, "left"(searched_text(internal_number), 60) COLLATE "C", updated_at DESC);
CREATE INDEX orders_keyed ON public.orders USING gin (search_keys(ARRAY[internal_number, external_id, customer_email], ARRAY[customer_phone])) WITH (gin_pending_list_limit='256');
CREATE INDEX orders_text ON public.orders USING gin ((ARRAY[organization_id]), searched_text(((COALESCE(internal_number, ''::text) || '
'::text) || COALESCE(customer_name, ''::text))) gin_trgm_ops, searched_parts(searched_text(((COALESCE(internal_number, ''::text) || '
'::text) || COALESCE(customer_name, ''::text))))) WITH (gin_pending_list_limit='256');
CREATE INDEX orders_of_client ON public.orders USING btree (organization_id, client_id, created_at, id) WHERE (client_id IS NOT NULL);
CREATE INDEX orders_of_company ON public.orders USING btree (organization_id, company_id, created_at, id) WHERE (company_id IS NOT NULL);

CREATE TABLE order_items (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  order_id uuid NOT NULL,
  "position" integer NOT NULL,
  name text NOT NULL,
  sku text NOT NULL,
  product_id uuid,
  quantity numeric NOT NULL,
  unit_price numeric NOT NULL,
  vat_rate numeric NOT NULL,
  discount_pct numeric,
  line_total numeric(18,2) NOT NULL,
  notes text,
  CONSTRAINT order_items_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX order_items_order ON public.order_items USING btree (organization_id, order_id, "position");

CREATE TABLE rate_windows (
  minute bigint NOT NULL,
  bucket_id uuid NOT NULL,
  taken integer NOT NULL,
  lease integer NOT NULL,
  ceiling integer NOT NULL,
  CONSTRAINT rate_windows_pkey PRIMARY KEY (minute, bucket_id)
);

CREATE TABLE webhook_notified_users (
  organization_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT webhook_notified_users_pkey PRIMARY KEY (organization_id, webhook_id, user_id)
);

CREATE TABLE held_events (
  organization_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  event_id text NOT NULL,
  attempts integer NOT NULL,
  extra_attempts integer DEFAULT 0 NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL,
  held_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT held_events_pkey PRIMARY KEY (webhook_id, occurred_at, event_id)
);

CREATE TABLE oauth_apps (
  client_id text NOT NULL,
  name text NOT NULL,
  secret_hash bytea,
  redirect_uris text[] NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  everywhere boolean DEFAULT true NOT NULL,
  document_read_at timestamp(3) with time zone,
  document_fresh_until timestamp(3) with time zone,
  document_failed_at timestamp(3) with time zone,
  CONSTRAINT oauth_apps_pkey PRIMARY KEY (client_id)
);

CREATE TABLE oauth_connections (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  client_id text NOT NULL,
  user_id uuid NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  last_used_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  ended_because text,
  last_used_by text,
  platforms text[] DEFAULT '{}'::text[] NOT NULL,
  resources text[] DEFAULT '{api}'::text[] NOT NULL,
  CONSTRAINT oauth_connections_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT oauth_connections_check CHECK (((ended_at IS NULL) = (ended_because IS NULL))),
  CONSTRAINT oauth_connections_ended_because_check CHECK ((ended_because = ANY (ARRAY['disconnected'::text, 'revoked'::text, 'idle'::text, 'reused'::text, 'person'::text])))
);
CREATE INDEX oauth_connections_user ON public.oauth_connections USING btree (organization_id, user_id) WHERE (ended_at IS NULL);
CREATE INDEX oauth_connections_idle ON public.oauth_connections USING btree (last_used_at) WHERE (ended_at IS NULL);

CREATE TABLE oauth_codes (
  code_hash bytea NOT NULL,
  organization_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  client_id text NOT NULL,
  user_id uuid NOT NULL,
  scopes text[] NOT NULL,
  redirect_uri text NOT NULL,
  redirect_uri_given boolean NOT NULL,
  code_challenge text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  redeemed_at timestamp(3) with time zone,
  resources text[] DEFAULT '{api}'::text[] NOT NULL,
  CONSTRAINT oauth_codes_pkey PRIMARY KEY (code_hash)
);
CREATE INDEX oauth_codes_expiry ON public.oauth_codes USING btree (expires_at);

CREATE TABLE oauth_access_tokens (
  token_hash bytea NOT NULL,
  organization_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  resources text[] DEFAULT '{api}'::text[] NOT NULL,
  CONSTRAINT oauth_access_tokens_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX oauth_access_tokens_connection ON public.oauth_access_tokens USING btree (organization_id, connection_id);
CREATE INDEX oauth_access_tokens_expiry ON public.oauth_access_tokens USING btree (expires_at);

CREATE TABLE oauth_refresh_tokens (
  token_hash bytea NOT NULL,
  organization_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  rotated_at timestamp(3) with time zone,
  successor_hash bytea,
  answer bytea,
  CONSTRAINT oauth_refresh_tokens_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX oauth_refresh_tokens_connection ON public.oauth_refresh_tokens USING btree (organization_id, connection_id);
CREATE INDEX oauth_refresh_tokens_answers ON public.oauth_refresh_tokens USING btree (rotated_at) WHERE (answer IS NOT NULL);

CREATE TABLE console_sessions (
  token_hash bytea NOT NULL,
  previous_token_hash bytea,
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  csrf_token text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  rotated_at timestamp(3) with time zone NOT NULL,
  last_seen_at timestamp(3) with time zone NOT NULL,
  user_agent text,
  person_id uuid NOT NULL,
  CONSTRAINT console_sessions_pkey PRIMARY KEY (token_hash),
  CONSTRAINT console_sessions_previous_token_hash_key UNIQUE (previous_token_hash)
);
CREATE INDEX console_sessions_user ON public.console_sessions USING btree (organization_id, user_id);
CREATE INDEX console_sessions_age ON public.console_sessions USING btree (last_seen_at);
CREATE INDEX console_sessions_person ON public.console_sessions USING btree (person_id);

CREATE TABLE sign_in_attempts (
  bucket_hash bytea NOT NULL,
  failures integer NOT NULL,
  allowed_at timestamp(3) with time zone NOT NULL,
  last_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (bucket_hash)
);
CREATE INDEX sign_in_attempts_age ON public.sign_in_attempts USING btree (last_at);

CREATE TABLE workers (
  worker_id integer NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL,
  job_pool text,
  CONSTRAINT workers_pkey PRIMARY KEY (worker_id)
);

CREATE TABLE secrets_keys (
  fingerprint text NOT NULL,
  noted_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT secrets_keys_pkey PRIMARY KEY (fingerprint)
);

CREATE TABLE processes (
  id uuid NOT NULL,
  roles text[] NOT NULL,
  host text NOT NULL,
  version text NOT NULL,
  secrets_key text NOT NULL,
  deliveries_held boolean NOT NULL,
  connections integer NOT NULL,
  started_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  seen_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  secrets_keys text[],
  CONSTRAINT processes_pkey PRIMARY KEY (id)
);

CREATE TABLE users (
  id uuid NOT NULL,
  email text NOT NULL,
  email_verified boolean NOT NULL,
  password_hash text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id)
);
CREATE INDEX users_email ON public.users USING btree (lower(email));
CREATE UNIQUE INDEX users_verified_email ON public.users USING btree (lower(email)) WHERE email_verified;

CREATE TABLE invitations (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  email text NOT NULL,
  role_id uuid,
  language text,
  invited_by uuid NOT NULL,
  by_mail boolean NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT invitations_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT invitations_language_check CHECK ((language = ANY (ARRAY['en'::text, 'sk'::text])))
);
CREATE UNIQUE INDEX invitations_email ON public.invitations USING btree (organization_id, lower(email));
CREATE INDEX invitations_expiry ON public.invitations USING btree (expires_at);

CREATE TABLE invitation_tokens (
  token_hash bytea NOT NULL,
  organization_id uuid NOT NULL,
  invitation_id uuid NOT NULL,
  CONSTRAINT invitation_tokens_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX invitation_tokens_invitation ON public.invitation_tokens USING btree (organization_id, invitation_id);

CREATE TABLE revocations (
  only_row boolean DEFAULT true NOT NULL,
  number bigint NOT NULL,
  CONSTRAINT revocations_pkey PRIMARY KEY (only_row),
  CONSTRAINT revocations_only_row_check CHECK (only_row)
);

CREATE TABLE queue_pauses (
  organization_id uuid,
  webhook_id uuid,
  host text,
  spellings text[],
  reason text,
  paused_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  CONSTRAINT queue_pauses_organization_id_webhook_id_host_key UNIQUE NULLS NOT DISTINCT (organization_id, webhook_id, host),
  CONSTRAINT queue_pauses_check CHECK (((organization_id IS NULL) = (host IS NOT NULL))),
  CONSTRAINT queue_pauses_check1 CHECK (((host IS NULL) = (spellings IS NULL))),
  CONSTRAINT queue_pauses_check2 CHECK (((webhook_id IS NULL) OR (organization_id IS NOT NULL)))
);

CREATE TABLE erasures (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  record_id uuid NOT NULL,
  requested_by uuid NOT NULL,
  api_key_id uuid,
  requested_at timestamp(3) with time zone NOT NULL,
  counts jsonb NOT NULL,
  stage text,
  place text[],
  finished_at timestamp(3) with time zone,
  CONSTRAINT erasures_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT erasures_kind_check CHECK ((kind = ANY (ARRAY['company'::text, 'contact'::text, 'client'::text, 'lead'::text]))),
  CONSTRAINT erasures_stage_check CHECK ((stage = ANY (ARRAY['records'::text, 'events'::text, 'answers'::text])))
);
CREATE INDEX erasures_record ON public.erasures USING btree (organization_id, record_id, requested_at);
CREATE INDEX erasures_unfinished ON public.erasures USING btree (requested_at) WHERE (stage IS NOT NULL);

CREATE TABLE erasing_records (
  organization_id uuid NOT NULL,
  erasure_id uuid NOT NULL,
  record_id uuid NOT NULL,
  kind text NOT NULL,
  CONSTRAINT erasing_records_pkey PRIMARY KEY (organization_id, erasure_id, record_id)
);

CREATE TABLE imports (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  user_id uuid NOT NULL,
  file_name text NOT NULL,
  encoding text NOT NULL,
  delimiter text NOT NULL,
  decimal_mark text NOT NULL,
  headings text[] NOT NULL,
  row_count integer NOT NULL,
  mapping text[] NOT NULL,
  match_by text,
  fills_short_rows boolean DEFAULT false NOT NULL,
  status text NOT NULL,
  stopped jsonb,
  created_at timestamp(3) with time zone NOT NULL,
  finished_at timestamp(3) with time zone,
  worked_at timestamp(3) with time zone,
  audit_entry_id uuid,
  CONSTRAINT imports_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT imports_decimal_mark_check CHECK ((decimal_mark = ANY (ARRAY[','::text, '.'::text]))),
  CONSTRAINT imports_kind_check CHECK ((kind = ANY (ARRAY['company'::text, 'contact'::text, 'lead'::text, 'product'::text]))),
  CONSTRAINT imports_status_check CHECK ((status = ANY (ARRAY['uploaded'::text, 'checking'::text, 'checked'::text, 'running'::text, 'finished'::text, 'undoing'::text, 'undone'::text])))
);
CREATE INDEX imports_created ON public.imports USING btree (organization_id, created_at);
CREATE INDEX imports_working ON public.imports USING btree (organization_id) WHERE (status = ANY (ARRAY['checking'::text, 'running'::text, 'undoing'::text]));

CREATE TABLE import_rows (
  organization_id uuid NOT NULL,
  import_id uuid NOT NULL,
  number integer NOT NULL,
  line integer NOT NULL,
  cells text[] NOT NULL,
  state text DEFAULT 'waiting'::text NOT NULL,
  problems jsonb,
  record_id uuid,
  CONSTRAINT import_rows_pkey PRIMARY KEY (organization_id, import_id, number),
  CONSTRAINT import_rows_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'ready'::text, 'faulty'::text, 'created'::text, 'updated'::text, 'unchanged'::text, 'refused'::text, 'removed'::text, 'kept'::text])))
);

CREATE TABLE import_records (
  organization_id uuid NOT NULL,
  import_id uuid NOT NULL,
  kind text NOT NULL,
  record_id uuid NOT NULL,
  number integer NOT NULL,
  fingerprint text NOT NULL,
  kept boolean DEFAULT false NOT NULL,
  CONSTRAINT import_records_pkey PRIMARY KEY (organization_id, import_id, kind, record_id),
  CONSTRAINT import_records_kind_check CHECK ((kind = ANY (ARRAY['company'::text, 'contact'::text, 'lead'::text, 'product'::text])))
);

CREATE TABLE oauth_app_organizations (
  organization_id uuid NOT NULL,
  client_id text NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT oauth_app_organizations_pkey PRIMARY KEY (organization_id, client_id)
);
CREATE INDEX oauth_app_organizations_app ON public.oauth_app_organizations USING btree (client_id);

CREATE TABLE saved_views (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  shared boolean NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT saved_views_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT saved_views_name UNIQUE (organization_id, kind, user_id, name)
);

CREATE TABLE audit_entries (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  operation text NOT NULL,
  resource text NOT NULL,
  record_id uuid,
  record_name text,
  actor_kind text NOT NULL,
  actor_id uuid,
  actor_name text,
  via text,
  via_id uuid,
  via_name text,
  address text,
  program text,
  request_id text,
  detail jsonb,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT audit_entries_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'key'::text, 'connection'::text, 'assistant'::text, 'operator'::text, 'system'::text]))),
  CONSTRAINT audit_entries_via_check CHECK ((via = ANY (ARRAY['console'::text, 'import'::text, 'key'::text, 'connection'::text])))
);
CREATE INDEX audit_entries_record ON public.audit_entries USING btree (organization_id, record_id, id) WHERE (record_id IS NOT NULL);
CREATE INDEX audit_entries_actor ON public.audit_entries USING btree (organization_id, actor_id, id) WHERE (actor_id IS NOT NULL);

CREATE TABLE backup_runs (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind text NOT NULL,
  file text NOT NULL,
  host text NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  failure text,
  bytes bigint,
  rows bigint,
  removed_at timestamp(3) with time zone,
  CONSTRAINT backup_runs_pkey PRIMARY KEY (id),
  CONSTRAINT backup_runs_kind_check CHECK ((kind = ANY (ARRAY['backup'::text, 'trial'::text])))
);

CREATE TABLE scale_out_keys (
  table_name text NOT NULL,
  key_name text NOT NULL,
  definition text NOT NULL,
  CONSTRAINT scale_out_keys_pkey PRIMARY KEY (table_name, key_name)
);

ALTER TABLE roles ADD CONSTRAINT roles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE memberships ADD CONSTRAINT memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE memberships ADD CONSTRAINT memberships_organization_id_role_id_fkey FOREIGN KEY (organization_id, role_id) REFERENCES roles(organization_id, id);
ALTER TABLE api_keys ADD CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE api_keys ADD CONSTRAINT api_keys_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, id);
ALTER TABLE webhooks ADD CONSTRAINT webhooks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE webhooks ADD CONSTRAINT webhooks_organization_id_api_key_id_fkey FOREIGN KEY (organization_id, api_key_id) REFERENCES api_keys(organization_id, id);
ALTER TABLE deliveries ADD CONSTRAINT deliveries_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE;
ALTER TABLE tags ADD CONSTRAINT tags_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE custom_field_groups ADD CONSTRAINT custom_field_groups_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE custom_fields ADD CONSTRAINT custom_fields_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE custom_fields ADD CONSTRAINT custom_fields_organization_id_group_id_fkey FOREIGN KEY (organization_id, group_id) REFERENCES custom_field_groups(organization_id, id);
ALTER TABLE pipelines ADD CONSTRAINT pipelines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE stages ADD CONSTRAINT stages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE stages ADD CONSTRAINT stages_organization_id_pipeline_id_fkey FOREIGN KEY (organization_id, pipeline_id) REFERENCES pipelines(organization_id, id);
ALTER TABLE lead_origins ADD CONSTRAINT lead_origins_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE lost_reasons ADD CONSTRAINT lost_reasons_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE companies ADD CONSTRAINT companies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE companies ADD CONSTRAINT companies_organization_id_owner_id_fkey FOREIGN KEY (organization_id, owner_id) REFERENCES memberships(organization_id, id);
ALTER TABLE contacts ADD CONSTRAINT contacts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE contacts ADD CONSTRAINT contacts_organization_id_company_id_fkey FOREIGN KEY (organization_id, company_id) REFERENCES companies(organization_id, id);
ALTER TABLE clients ADD CONSTRAINT clients_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE clients ADD CONSTRAINT clients_organization_id_company_id_fkey FOREIGN KEY (organization_id, company_id) REFERENCES companies(organization_id, id);
ALTER TABLE clients ADD CONSTRAINT clients_organization_id_owner_id_fkey FOREIGN KEY (organization_id, owner_id) REFERENCES memberships(organization_id, id);
ALTER TABLE leads ADD CONSTRAINT leads_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE leads ADD CONSTRAINT leads_organization_id_company_id_fkey FOREIGN KEY (organization_id, company_id) REFERENCES companies(organization_id, id);
ALTER TABLE leads ADD CONSTRAINT leads_organization_id_contact_id_fkey FOREIGN KEY (organization_id, contact_id) REFERENCES contacts(organization_id, id);
ALTER TABLE leads ADD CONSTRAINT leads_organization_id_owner_id_fkey FOREIGN KEY (organization_id, owner_id) REFERENCES memberships(organization_id, id);
ALTER TABLE leads ADD CONSTRAINT leads_organization_id_origin_id_fkey FOREIGN KEY (organization_id, origin_id) REFERENCES lead_origins(organization_id, id);
ALTER TABLE leads ADD CONSTRAINT leads_organization_id_lost_reason_id_fkey FOREIGN KEY (organization_id, lost_reason_id) REFERENCES lost_reasons(organization_id, id);
ALTER TABLE document_numbers ADD CONSTRAINT document_numbers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE activity_types ADD CONSTRAINT activity_types_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE activities ADD CONSTRAINT activities_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE activities ADD CONSTRAINT activities_organization_id_type_id_fkey FOREIGN KEY (organization_id, type_id) REFERENCES activity_types(organization_id, id);
ALTER TABLE activities ADD CONSTRAINT activities_organization_id_owner_id_fkey FOREIGN KEY (organization_id, owner_id) REFERENCES memberships(organization_id, id);
ALTER TABLE activities ADD CONSTRAINT activities_organization_id_assignee_id_fkey FOREIGN KEY (organization_id, assignee_id) REFERENCES memberships(organization_id, id);
ALTER TABLE activities ADD CONSTRAINT activities_organization_id_company_id_fkey FOREIGN KEY (organization_id, company_id) REFERENCES companies(organization_id, id);
ALTER TABLE activities ADD CONSTRAINT activities_organization_id_contact_id_fkey FOREIGN KEY (organization_id, contact_id) REFERENCES contacts(organization_id, id);
ALTER TABLE activities ADD CONSTRAINT activities_organization_id_lead_id_fkey FOREIGN KEY (organization_id, lead_id) REFERENCES leads(organization_id, id);
ALTER TABLE projects ADD CONSTRAINT projects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE project_stages ADD CONSTRAINT project_stages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE project_stages ADD CONSTRAINT project_stages_organization_id_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects(organization_id, id);
ALTER TABLE tasks ADD CONSTRAINT tasks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE tasks ADD CONSTRAINT tasks_organization_id_company_id_fkey FOREIGN KEY (organization_id, company_id) REFERENCES companies(organization_id, id);
ALTER TABLE tasks ADD CONSTRAINT tasks_organization_id_lead_id_fkey FOREIGN KEY (organization_id, lead_id) REFERENCES leads(organization_id, id);
ALTER TABLE tasks ADD CONSTRAINT tasks_organization_id_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects(organization_id, id);
ALTER TABLE tasks ADD CONSTRAINT tasks_organization_id_project_id_stage_id_fkey FOREIGN KEY (organization_id, project_id, stage_id) REFERENCES project_stages(organization_id, project_id, id);
ALTER TABLE invoices ADD CONSTRAINT invoices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE invoices ADD CONSTRAINT invoices_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id);
ALTER TABLE invoices ADD CONSTRAINT invoices_organization_id_company_id_fkey FOREIGN KEY (organization_id, company_id) REFERENCES companies(organization_id, id);
ALTER TABLE quotes ADD CONSTRAINT quotes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE quotes ADD CONSTRAINT quotes_organization_id_company_id_fkey FOREIGN KEY (organization_id, company_id) REFERENCES companies(organization_id, id);
ALTER TABLE quotes ADD CONSTRAINT quotes_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id);
ALTER TABLE quotes ADD CONSTRAINT quotes_organization_id_lead_id_fkey FOREIGN KEY (organization_id, lead_id) REFERENCES leads(organization_id, id);
ALTER TABLE booking_services ADD CONSTRAINT booking_services_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE booking_staff ADD CONSTRAINT booking_staff_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE bookings ADD CONSTRAINT bookings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE bookings ADD CONSTRAINT bookings_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id);
ALTER TABLE bookings ADD CONSTRAINT bookings_organization_id_lead_id_fkey FOREIGN KEY (organization_id, lead_id) REFERENCES leads(organization_id, id);
ALTER TABLE bookings ADD CONSTRAINT bookings_organization_id_service_id_fkey FOREIGN KEY (organization_id, service_id) REFERENCES booking_services(organization_id, id);
ALTER TABLE bookings ADD CONSTRAINT bookings_organization_id_staff_id_fkey FOREIGN KEY (organization_id, staff_id) REFERENCES booking_staff(organization_id, id);
ALTER TABLE products ADD CONSTRAINT products_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE orders ADD CONSTRAINT orders_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE orders ADD CONSTRAINT orders_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id);
ALTER TABLE orders ADD CONSTRAINT orders_organization_id_company_id_fkey FOREIGN KEY (organization_id, company_id) REFERENCES companies(organization_id, id);
ALTER TABLE orders ADD CONSTRAINT orders_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id);
ALTER TABLE order_items ADD CONSTRAINT order_items_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE order_items ADD CONSTRAINT order_items_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id);
ALTER TABLE order_items ADD CONSTRAINT order_items_organization_id_product_id_fkey FOREIGN KEY (organization_id, product_id) REFERENCES products(organization_id, id);
ALTER TABLE webhook_notified_users ADD CONSTRAINT webhook_notified_users_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE;
ALTER TABLE webhook_notified_users ADD CONSTRAINT webhook_notified_users_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, id);
ALTER TABLE held_events ADD CONSTRAINT held_events_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE;
ALTER TABLE oauth_connections ADD CONSTRAINT oauth_connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE oauth_connections ADD CONSTRAINT oauth_connections_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_apps(client_id);
ALTER TABLE oauth_connections ADD CONSTRAINT oauth_connections_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, id);
ALTER TABLE oauth_codes ADD CONSTRAINT oauth_codes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE oauth_codes ADD CONSTRAINT oauth_codes_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_apps(client_id);
ALTER TABLE oauth_access_tokens ADD CONSTRAINT oauth_access_tokens_organization_id_connection_id_fkey FOREIGN KEY (organization_id, connection_id) REFERENCES oauth_connections(organization_id, id) ON DELETE CASCADE;
ALTER TABLE oauth_refresh_tokens ADD CONSTRAINT oauth_refresh_tokens_organization_id_connection_id_fkey FOREIGN KEY (organization_id, connection_id) REFERENCES oauth_connections(organization_id, id) ON DELETE CASCADE;
ALTER TABLE webhooks ADD CONSTRAINT webhooks_organization_id_oauth_connection_id_fkey FOREIGN KEY (organization_id, oauth_connection_id) REFERENCES oauth_connections(organization_id, id) ON DELETE CASCADE;
ALTER TABLE console_sessions ADD CONSTRAINT console_sessions_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, id) ON DELETE CASCADE;
ALTER TABLE leads ADD CONSTRAINT leads_organization_id_pipeline_id_stage_id_status_fkey FOREIGN KEY (organization_id, pipeline_id, stage_id, status) REFERENCES stages(organization_id, pipeline_id, id, kind);
ALTER TABLE memberships ADD CONSTRAINT memberships_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id);
ALTER TABLE console_sessions ADD CONSTRAINT console_sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE invitations ADD CONSTRAINT invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE invitations ADD CONSTRAINT invitations_organization_id_role_id_fkey FOREIGN KEY (organization_id, role_id) REFERENCES roles(organization_id, id);
ALTER TABLE invitations ADD CONSTRAINT invitations_organization_id_invited_by_fkey FOREIGN KEY (organization_id, invited_by) REFERENCES memberships(organization_id, id);
ALTER TABLE invitation_tokens ADD CONSTRAINT invitation_tokens_organization_id_invitation_id_fkey FOREIGN KEY (organization_id, invitation_id) REFERENCES invitations(organization_id, id) ON DELETE CASCADE;
ALTER TABLE queue_pauses ADD CONSTRAINT queue_pauses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE queue_pauses ADD CONSTRAINT queue_pauses_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE;
ALTER TABLE erasures ADD CONSTRAINT erasures_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE erasing_records ADD CONSTRAINT erasing_records_organization_id_erasure_id_fkey FOREIGN KEY (organization_id, erasure_id) REFERENCES erasures(organization_id, id) ON DELETE CASCADE;
ALTER TABLE imports ADD CONSTRAINT imports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE import_rows ADD CONSTRAINT import_rows_organization_id_import_id_fkey FOREIGN KEY (organization_id, import_id) REFERENCES imports(organization_id, id) ON DELETE CASCADE;
ALTER TABLE import_records ADD CONSTRAINT import_records_organization_id_import_id_fkey FOREIGN KEY (organization_id, import_id) REFERENCES imports(organization_id, id) ON DELETE CASCADE;
ALTER TABLE oauth_app_organizations ADD CONSTRAINT oauth_app_organizations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE oauth_app_organizations ADD CONSTRAINT oauth_app_organizations_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_apps(client_id);
ALTER TABLE oauth_app_organizations ADD CONSTRAINT oauth_app_organizations_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, id);
ALTER TABLE saved_views ADD CONSTRAINT saved_views_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE saved_views ADD CONSTRAINT saved_views_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, id);

INSERT INTO installation (id, event_era) VALUES ('true', '1');

INSERT INTO revocations (only_row, number) VALUES ('true', '0');

INSERT INTO worker_activity (seen_at) VALUES (now());

