import { insertDefaults } from '../../accounts/organizations/default-lookups.ts';
import { listOrganizations } from '../../accounts/organizations/organizations.ts';
import { removeMailsOf } from '../../change/queue/mail-jobs.ts';
import type { Services } from '../../change/services.ts';
import type { OrganizationName } from '../../change/verb/unit-of-work.ts';
import type { Transaction } from '../../foundations/database/connect.ts';
import { isConcurrencyFailure } from '../../foundations/database/failures.ts';
import { touchReferenceData } from '../../identity/reference-data/reference-data.ts';
import { recordKinds } from '../../records/record-kinds.ts';
import { readEnvironment } from '../installation/installation.ts';
import { seedDemo } from './seed.ts';

/** A kind refers to those before it. */
const kinds = [...recordKinds.values()].toReversed();

/** What a reset removes, in an order that its foreign keys allow; what happened about the records goes last. */
export const tablesReset: readonly string[] = [
  'saved_views',
  'import_records',
  'import_rows',
  'imports',
  ...kinds.flatMap(({ parts = [] }) => parts),
  ...kinds.map(({ table }) => table.table),
  'booking_services',
  'booking_staff',
  'project_stages',
  'projects',
  'activity_types',
  'lead_origins',
  'lost_reasons',
  'stages',
  'pipelines',
  'custom_fields',
  'custom_field_groups',
  'tags',
  'document_numbers',
  // Their deliveries, held events and people go with them.
  'webhooks',
  'oauth_codes',
  'oauth_access_tokens',
  'oauth_refresh_tokens',
  'oauth_connections',
  'attempts',
  'events',
  'idempotent_answers',
  'erasing_records',
  'erasures',
];

/**
 * What a reset leaves: people, their keys, who is signed in, who did what, and what the operator has paused. The
 * last three, and pauses of webhooks, follow their webhooks.
 */
export const tablesKept = [
  'api_keys',
  'memberships',
  'roles',
  'invitations',
  'invitation_tokens',
  'console_sessions',
  'oauth_app_organizations',
  'audit_entries',
  'queue_pauses',
  'deliveries',
  'held_events',
  'webhook_notified_users',
] as const;

const resetTries = 5;

/**
 * The nightly reset of a test environment (rule test-environment 4): every organization loses its records, hooks,
 * connections and events and is given the demo's again, with the same ids as the night before; people, keys and the
 * audit log stay. One transaction for each organization: readers see the records of before until those of after are
 * there, writers of that organization wait, and a second worker only does the same again. Answers how many
 * organizations there were.
 */
export async function resetTestEnvironment(core: Services): Promise<number> {
  if (core.environment !== 'test')
    throw new Error('Only a test environment (ENVIRONMENT=test) is ever reset');
  const organizations = (await listOrganizations(core.sql)).filter(({ moved_at }) => moved_at === null);
  const faults: unknown[] = [];
  for (const organization of organizations) {
    try {
      await resetOrganization(core, organization);
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'Some organizations could not be reset');
  return organizations.length;
}

async function resetOrganization(core: Services, organization: OrganizationName): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await core.sql.begin((tx) => removeAndSeed(core, tx, organization));
    } catch (error) {
      // A request that changes records in another order can collide; it or this one is run again.
      if (attempt < resetTries && isConcurrencyFailure(error)) continue;
      throw error;
    }
  }
}

async function removeAndSeed(core: Services, tx: Transaction, { id, slug }: OrganizationName): Promise<void> {
  // Asked of the database, whatever this process was told: records of a live one are never removed.
  if ((await readEnvironment(tx)) !== 'test') {
    throw new Error('This database does not belong to a test environment');
  }
  // Every new record refers to its organization: none can be added until this is done.
  await tx`select from organizations where id = ${id} for update`;
  for (const table of tablesReset) await tx`delete from ${tx(table)} where organization_id = ${id}`;
  await removeMailsOf(tx, id);
  await insertDefaults(tx, id, core.clock.now().toISOString());
  const [user] = await tx`select 1 from memberships where organization_id = ${id} and active limit 1`;
  if (user) await seedDemo({ sql: tx, clock: core.clock }, slug, 'small');
  else await touchReferenceData(tx, id);
}
