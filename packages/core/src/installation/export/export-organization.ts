import { findOrganization } from '../../accounts/organizations/organizations.ts';
import { addAuditEntries, operator } from '../../change/audit/audit-log.ts';
import type { Clock } from '../../foundations/clock.ts';
import { type Database, ourSchema, type Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { recordKinds } from '../../records/record-kinds.ts';
import { type CsvCell, csvText } from './csv-text.ts';

/** The tables of records, each with those of its parts. */
const recordTables = [...recordKinds.values()].flatMap(({ table, parts = [] }) => [table.table, ...parts]);

/** What an organization takes along, by the name of its files: the table, and what is joined to a row of it. */
export const exportedKinds: Readonly<Record<string, string>> = {
  ...Object.fromEntries(recordTables.map((table) => [table, table])),
  tags: 'tags',
  custom_fields: 'custom_fields',
  custom_field_groups: 'custom_field_groups',
  pipelines: 'pipelines',
  stages: 'stages',
  lead_origins: 'lead_origins',
  lost_reasons: 'lost_reasons',
  activity_types: 'activity_types',
  projects: 'projects',
  project_stages: 'project_stages',
  booking_services: 'booking_services',
  booking_staff: 'booking_staff',
  document_numbers: 'document_numbers',
  users: 'memberships',
  roles: 'roles',
  saved_views: 'saved_views',
  invitations: 'invitations',
  api_keys: 'api_keys',
  oauth_app_organizations: 'oauth_app_organizations',
  oauth_connections: 'oauth_connections',
  webhooks: 'webhooks',
  webhook_notified_users: 'webhook_notified_users',
  events: 'events',
  delivery_attempts: 'attempts',
  erasures: 'erasures',
  audit_entries: 'audit_entries',
};

/**
 * Tables with rows of an organization that it has no use for elsewhere: what is on its way, counted or signed in.
 */
export const leftOutTables: readonly string[] = [
  'console_sessions',
  'deliveries',
  'erasing_records',
  'held_events',
  'idempotent_answers',
  'import_records',
  'import_rows',
  'imports',
  'invitation_tokens',
  'oauth_access_tokens',
  'oauth_codes',
  'oauth_refresh_tokens',
  'queue_pauses',
];

const rowsExportedAtOnce = 500;

export interface ExportedFiles {
  /** Adds to the end of a file, and answers when it takes more. */
  append(file: string, text: string): Promise<void>;
}

export interface ExportSummary {
  readonly organization: string;
  /** Rows by the name of their files. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Everything of an organization as CSV and JSON, two files for each kind, as it is at one moment: in one transaction
 * that sees one snapshot, some rows at a time. The last file is `manifest.json`; without it an export is not whole.
 * Raises OperatorError for an unknown organization. Rule leaving 5.
 */
export async function exportOrganization(
  { sql, clock }: { sql: Database; clock: Clock },
  slug: string,
  files: ExportedFiles,
): Promise<ExportSummary> {
  const { id, name } = await findOrganization(sql, slug);
  const what = { operation: 'organizations.export', resource: 'organization', recordId: id } as const;
  await addAuditEntries(sql, id, clock.now().toISOString(), { ...what, recordName: name, by: operator });
  return inTransaction(sql, async (tx) => {
    // Not prepared: nothing here can fail for a reason that the transaction is repeated for.
    await tx.unsafe('set transaction isolation level repeatable read, read only');
    const organization = await findOrganization(tx, slug);
    const place: Place = {
      tx,
      organization: organization.id,
      files,
      tags: await namesOf(tx, 'tags', organization.id),
      customFields: await namesOf(tx, 'custom_fields', organization.id),
    };
    const counts: Record<string, number> = {};
    for (const [kind, table] of Object.entries(exportedKinds)) {
      counts[kind] = await exportKind(place, kind, table);
    }
    const manifest = { format: 1, exported_at: clock.now().toISOString(), organization, counts };
    await files.append('README.md', readme(organization.name));
    await files.append('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
    return { organization: slug, counts };
  });
}

interface Place {
  readonly tx: Transaction;
  readonly organization: string;
  readonly files: ExportedFiles;
  /** By their ids. */
  readonly tags: ReadonlyMap<string, string>;
  readonly customFields: ReadonlyMap<string, string>;
}

type Row = Readonly<Record<string, unknown>>;

async function exportKind(place: Place, kind: string, table: string): Promise<number> {
  const { tx, organization, files } = place;
  const columns = await columnsOf(tx, table);
  // Of the account that a user signs in with.
  const email =
    table === 'memberships' ? `, (select email from users where users.id = t.person_id) as email` : '';
  const chosen = columns.map((name) => `t."${name}"`).join(', ');
  // One that was deleted is kept for a moment of its own (rule hooks 27), and is nobody's any more.
  const living = table === 'webhooks' ? 'and t.deleted_at is null' : '';
  await tx.unsafe(`
    declare exported no scroll cursor for
    select to_json(chosen)::text as row from (
      select ${chosen}${email} from "${table}" t where t.organization_id = '${organization}' ${living} order by 1, 2) chosen`);
  const shown = [...columns.flatMap((name) => shownColumns(place, name)), ...(email ? ['email'] : [])];
  await files.append(`${kind}.csv`, csvText([shown], programStyle));
  await files.append(`${kind}.json`, '[');
  let count = 0;
  for (;;) {
    const read = await tx.unsafe<{ row: string }[]>(`fetch ${rowsExportedAtOnce} from exported`);
    if (read.length === 0) break;
    const rows = read.map(({ row }) => shownRow(place, JSON.parse(row)));
    const cells = rows.map((row) => shown.map((name) => cellOf(valueIn(row, name))));
    await files.append(`${kind}.csv`, csvText(cells, programStyle));
    const lines = rows.map((row, index) => `${count + index > 0 ? ',' : ''}\n${JSON.stringify(row)}`);
    await files.append(`${kind}.json`, lines.join(''));
    count += rows.length;
  }
  await tx.unsafe('close exported');
  await files.append(`${kind}.json`, '\n]\n');
  return count;
}

const programStyle = { delimiter: ',', decimalMark: '.' } as const;

/** The columns of a table but for its organization, and for bytes: these are secrets and hashes of such. */
async function columnsOf(tx: Transaction, table: string): Promise<string[]> {
  const columns = await tx.unsafe<{ name: string }[]>(`
    select column_name as name from information_schema.columns
    where table_schema = '${ourSchema}' and table_name = '${table}' and column_name <> 'organization_id'
      and data_type <> 'bytea' and not (table_name = 'events' and column_name in ('era', 'transaction_id'))
    order by ordinal_position`);
  return columns.map(({ name }) => name);
}

async function namesOf(
  tx: Transaction,
  table: 'tags' | 'custom_fields',
  organization: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx<{ id: string; name: string }[]>`
    select id, name from ${tx(table)} where organization_id = ${organization} order by name, id`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const ownField = 'custom_fields.';

/** Tags have their names beside their ids, and each custom field has a column. */
function shownColumns({ customFields }: Place, name: string): string[] {
  if (name === 'tag_ids') return ['tags', 'tag_ids'];
  if (name === 'custom_fields') return [...customFields.values()].map((each) => ownField + each);
  return [name];
}

function shownRow({ tags, customFields }: Place, row: Row): Row {
  const shown: [string, unknown][] = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'tag_ids' && Array.isArray(value)) {
      return [
        ['tags', value.map((id) => tags.get(id) ?? id)],
        [name, value],
      ];
    }
    if (name !== 'custom_fields') return [[name, name === 'envelope' ? JSON.parse(String(value)) : value]];
    const named = Object.entries(Object(value)).map(([id, each]) => [customFields.get(id) ?? id, each]);
    return [[name, Object.fromEntries(named)]];
  });
  return Object.fromEntries(shown);
}

const valueIn = (row: Row, column: string): unknown =>
  column.startsWith(ownField)
    ? Reflect.get(Object(row['custom_fields']), column.slice(ownField.length))
    : row[column];

function cellOf(value: unknown): CsvCell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  const isPlain = Array.isArray(value) && value.every((each) => typeof each !== 'object');
  return isPlain ? value.join(', ') : JSON.stringify(value);
}

const readme = (name: string): string => `# ${name.replaceAll(/\s+/g, ' ')}

Everything that Dealkeep held of this organization at the moment that \`manifest.json\` names, with how many rows each file
has. \`manifest.json\` is written last: without it this export is not whole.

- Each kind is there twice: as CSV (UTF-8, commas, a heading) and as JSON (an array, a row on each line).
- Rows name each other by their ids: \`company_id\` of a contact is the \`id\` of a company. What ends in \`user_id\`,
  \`owner_id\` or \`assignee_ids\` is the \`id\` of a user.
- Tags stand as names beside their ids; each custom field of companies is a column \`custom_fields.NAME\`.
- In CSV a text that a spreadsheet would run as a formula begins with an apostrophe; JSON has every text as it is.
- Moments are in UTC. Amounts are in the currency of their row, else in that of the organization.
- Secrets are not here: passwords, keys, tokens, the signing secrets of webhooks.
`;
