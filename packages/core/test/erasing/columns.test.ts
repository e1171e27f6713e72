import { recordKinds } from '@dealkeep/core/records';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const { sql } = await sharedDealkeep();

/**
 * Besides the columns of records: where what happened to them, or where they came from, is kept. Overwritten, too.
 */
const erasedHistory = [
  'events.envelope',
  'attempts.response_start',
  'attempts.failure_detail',
  'audit_entries.record_name',
  'idempotent_answers.answer',
  'import_rows.cells',
  'import_rows.problems',
];

/** What can hold something of a person and stays, and why. `docs/forgetting.md` tells owners. */
const kept: Readonly<Record<string, string>> = {
  'invoices.items': 'what was sold, which the law keeps',
  'quotes.items': 'what was offered, of which contracts are made',
  'order_items.name': 'what was ordered, which the law keeps',
  'order_items.sku': 'the same',
  'orders.external_id': 'the number of the order in the shop',
  'orders.external_source': 'which shop',
  'orders.payment_method': 'how it was paid, which the law keeps',
  'orders.shipping_method': 'how it was sent',
  'companies.country_code': 'tells a country, and no person',
  'idempotent_answers.idempotency_key': 'chosen by the client; without it a repeat would write again. A day',
  'idempotent_answers.fingerprint': 'a hash, of which nothing is read; a day',
  'imports.file_name': 'of a file of many people; seven days',
  'imports.headings': 'the same',
  'import_records.fingerprint': 'a hash, of which nothing is read; seven days',
  'erasures.place': 'how far an erasure is; empty when it is over',
  'saved_views.name': 'what a user calls a list; theirs to change',
  'saved_views.query': 'what a user looks for, which can be the name of a person; theirs to change',
  'tags.name': 'a list of the organization',
  'custom_fields.name': 'a list of the organization',
  'custom_fields.description': 'the same',
  'custom_fields.choices': 'the same',
};

/** Ids, numbers, moments, states, and what is of the organization, of its users or of the installation. */
const impersonal: Readonly<Record<string, string>> = {
  activities:
    'id status importance start_at end_at completed_at type_id owner_id assignee_id company_id lead_id created_at updated_at',
  activity_types: 'id name created_at updated_at archived_at',
  api_keys:
    'id user_id name token_hash scopes legacy expires_at revoked_at last_used_at created_at last_used_by platforms assistant_access assistant_tool_sets last_characters by_operator',
  // Of users of the organization, who are no contacts: for a year, also where they have left.
  audit_entries:
    'id at operation resource record_id actor_kind actor_id actor_name via via_id via_name address program request_id detail',
  attempts:
    'id webhook_id event_id number started_at duration_ms status event_type failure next_attempt_at by_hand',
  booking_services: 'id name duration_minutes price currency created_at updated_at archived_at',
  booking_staff: 'id name email created_at updated_at archived_at',
  backup_runs: 'id kind file host started_at ended_at failure bytes rows removed_at',
  bookings:
    'id status source starts_at ends_at confirmed_at completed_at cancelled_at price currency client_id lead_id service_id staff_id created_at updated_at',
  clients: 'id company_id owner_id reference_valid_until created_at updated_at erased_at',
  companies: 'id owner_id created_at updated_at erased_at',
  console_sessions:
    'token_hash previous_token_hash user_id csrf_token created_at rotated_at last_seen_at user_agent person_id',
  contacts: 'id company_id is_primary created_at updated_at erased_at',
  custom_field_groups: 'id name created_at updated_at',
  custom_fields: 'id required type group_id created_at updated_at',
  deliveries:
    'id webhook_id event_id attempts due_at worker_id created_at in_order by_hand extra_attempts retry_at',
  document_numbers: 'series year last',
  erasing_records: 'erasure_id record_id kind',
  erasures: 'id kind record_id requested_by api_key_id requested_at counts stage finished_at',
  events: 'id type record_id occurred_at test transaction_id era audit_entry_id',
  held_events: 'webhook_id event_id attempts extra_attempts occurred_at held_at',
  idempotent_answers: 'credential_id created_at',
  import_records: 'import_id kind record_id number kept',
  import_rows: 'import_id number line state record_id',
  imports:
    'id kind user_id encoding delimiter decimal_mark row_count mapping match_by fills_short_rows status stopped created_at finished_at worked_at audit_entry_id',
  installation:
    'id environment deliveries_paused_at secrets_bound_at deliveries_paused_reason event_era name',
  invitation_tokens: 'token_hash invitation_id',
  invitations: 'id email role_id language invited_by by_mail expires_at created_at',
  invoices:
    'id number status currency issued_date due_date paid_at subtotal vat_amount total paid_amount variable_symbol client_id company_id created_at updated_at',
  lead_origins: 'id name created_at updated_at archived_at',
  leads:
    'id value acquisition_cost expected_close_date company_id owner_id assignee_ids origin_id pipeline_id stage_id status stage_entered_at won_at lost_at lost_reason_id archived_at created_at updated_at erased_at',
  lost_reasons: 'id name created_at updated_at archived_at',
  memberships:
    'id name role_id active created_at updated_at language last_signed_in_at person_id guide_dismissed_at',
  migrations: 'name applied_at lived_with_since',
  oauth_access_tokens: 'token_hash connection_id scopes resources expires_at',
  oauth_app_organizations: 'client_id user_id created_at',
  oauth_apps:
    'client_id name secret_hash redirect_uris scopes created_at everywhere document_read_at document_fresh_until document_failed_at',
  oauth_codes:
    'code_hash connection_id client_id user_id scopes resources redirect_uri redirect_uri_given code_challenge expires_at redeemed_at',
  oauth_connections:
    'id client_id user_id scopes resources created_at last_used_at ended_at ended_because last_used_by platforms',
  oauth_refresh_tokens: 'token_hash connection_id created_at rotated_at successor_hash answer',
  order_items: 'id order_id position product_id quantity unit_price vat_rate discount_pct line_total',
  orders:
    'id internal_number status payment_status currency subtotal discount_total shipping_cost vat_total grand_total cod_fee client_id company_id invoice_id created_at updated_at confirmed_at paid_at shipped_at delivered_at cancelled_at',
  organizations:
    'id name slug country_code currency time_zone subscription requests_per_minute org_requests_per_minute max_webhooks max_keys directory_version created_at makes_tags assistant_access assistant_tool_sets street city postal_code registration_id tax_id vat_id bank_account storage_bytes max_storage_mb storage_state moved_at moved_to moved_into move_ended_at',
  pipelines: 'id name is_default require_lost_reason created_at updated_at',
  processes: 'id roles host version secrets_key deliveries_held connections started_at seen_at secrets_keys',
  products:
    'id sku ean name description price discounted_price vat_rate active category_id stock_on_hand stock_reserved images attachments created_at updated_at',
  project_stages: 'id project_id name category position',
  projects: 'id name status created_at updated_at archived_at',
  queue_pauses: 'webhook_id host spellings reason paused_at',
  quotes:
    'id number status currency subtotal vat_amount total valid_until company_id client_id lead_id accepted_at rejected_at created_at updated_at',
  rate_windows: 'minute bucket_id taken lease ceiling',
  revocations: 'only_row number',
  roles: 'id name permissions created_at',
  saved_views: 'id user_id kind shared created_at updated_at',
  scale_out_keys: 'table_name key_name definition',
  secrets_keys: 'fingerprint noted_at',
  sign_in_attempts: 'bucket_hash failures allowed_at last_at',
  stages: 'id pipeline_id name color kind probability position',
  tags: 'id color created_at updated_at',
  tasks:
    'id priority start_date due_date due_time due_local overdue_told_of completed_at archived_at assignee_ids company_id lead_id project_id stage_id created_at updated_at',
  users: 'id email email_verified password_hash created_at updated_at',
  webhook_notified_users: 'webhook_id user_id',
  webhooks:
    'id api_key_id name target_url events secret failing_since created_at idle_since disabled_reason disabled_at last_success_at failing_told_at dropped_events previous_secret previous_secret_until oauth_connection_id filters changed_fields condition headers signing_key previous_signing_key public_key max_per_minute paced_until deleted_at',
  worker_activity: 'seen_at',
  workers: 'worker_id seen_at job_pool',
};

const classes: Readonly<Record<string, readonly string[]>> = {
  erased: [
    ...[...recordKinds.values()].flatMap(({ table: { table }, parts = [], erased }) => [
      ...Object.keys(erased?.columns ?? {}).map((column) => `${table}.${column}`),
      ...parts.flatMap((part) => (erased?.itemColumns ?? []).map((column) => `${part}.${column}`)),
    ]),
    ...erasedHistory,
  ],
  kept: Object.keys(kept),
  impersonal: [
    ...Object.entries(impersonal).flatMap(([table, columns]) =>
      columns.split(' ').map((column) => `${table}.${column}`),
    ),
    ...[...recordKinds.values()].flatMap(({ table: { table }, erased }) =>
      (erased?.stays ?? []).map((column) => `${table}.${column}`),
    ),
  ],
};

/** But for what extensions look at. */
const columnsOf = async (): Promise<string[]> => {
  const rows = await sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name <> 'organization_id' and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = quote_ident(table_name)::regclass and d.deptype = 'e')
    order by 1`;
  return rows.map(({ name }) => name);
};

const classOf = (column: string): string[] =>
  Object.entries(classes).flatMap(([name, columns]) => (columns.includes(column) ? [name] : []));

test('a column of any table is erased, kept for a reason, or holds nothing of a person: one of the three (rule erasing 10)', async () => {
  const columns = await columnsOf();
  expect(columns.length).toBeGreaterThan(400);
  const notOnce = columns
    .map((column) => [column, classOf(column)] as const)
    .filter(([, of]) => of.length !== 1);
  expect(notOnce, 'say of a new column what an erasure does with it').toEqual([]);
});

test('no class names a column that there is not', async () => {
  const columns = new Set(await columnsOf());
  expect(
    Object.values(classes)
      .flat()
      .filter((column) => !columns.has(column)),
  ).toEqual([]);
});
