import { putMailBack, waitingMails } from '../../change/queue/mail-jobs.ts';
import { atOneMoment } from '../../foundations/database/at-one-moment.ts';
import {
  connect,
  type Database,
  type Statements,
  type Transaction,
} from '../../foundations/database/connect.ts';
import { copyIn, copyOut } from '../../foundations/database/postgres-js/copy.ts';
import { type CopiedTable, columnsOf, quoted } from '../../foundations/database/tables.ts';
import { noLimits } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { knownKeys, noteKey } from '../installation/secrets-keys.ts';
import { movingConnection, patiently } from './fence.ts';
import { type MovedPeople, movePeople } from './move-people.ts';
import { applicationsOf } from './move-requirements.ts';
import { isRowOf, movedTables } from './moved-tables.ts';
import { reasonOfMove } from './pause-for-move.ts';

/** What was copied. */
export interface CopiedOrganization {
  /** By their tables, without those that have none. */
  readonly rows: Readonly<Record<string, number>>;
  readonly people: MovedPeople;
  /** Applications that were not known there. */
  readonly applications: number;
  readonly mails: number;
}

/**
 * Has whatever happens in the other installation from now on stand behind the events that an organization brings,
 * whose transactions were numbered by another server. Whoever writes events there waits a moment, and those before
 * have ended: none is numbered in the era before that a reader has not seen.
 */
export async function beginEraBehind(
  source: Statements,
  target: Database,
  organization: string,
): Promise<void> {
  const [last] = await source<{ era: number }[]>`
    select era from events where organization_id = ${organization}
    order by era desc, transaction_id desc, id desc limit 1`;
  const [own] = await target<{ era: number }[]>`select event_era as era from installation`;
  if (!last || !own || own.era > last.era) return;
  await patiently(target, 'events of the other database', () =>
    target.begin(async (tx) => {
      await tx`lock table events in share mode`;
      await tx`update installation set event_era = greatest(event_era, ${last.era}) + 1 where event_era <= ${last.era}`;
    }),
  );
}

/** Copies everything of an organization, as it is at one moment, in one transaction of the other database. */
export async function copyOrganization(
  from: string,
  into: Transaction,
  organization: string,
): Promise<CopiedOrganization> {
  const settings = { idle_in_transaction_session_timeout: '0' };
  const sql = connect(from, { connections: 1, name: movingConnection, limits: noLimits, settings });
  try {
    return await atOneMoment(sql, (tx) => copyAll(tx, into, organization));
  } finally {
    await sql.end({ timeout: 0 });
  }
}

async function copyAll(
  from: Transaction,
  into: Transaction,
  organization: string,
): Promise<CopiedOrganization> {
  for (const key of await knownKeys(from)) await noteKey(into, key);
  const applications = await copyApplications(from, into, organization);
  const people = await movePeople(from, into, organization);
  const rows: [string, number][] = [];
  for (const table of await movedTables(from)) {
    const count = await copyRows(from, into, { table, organization });
    if (count > 0) rows.push([table.name, count]);
  }
  await into`delete from queue_pauses where organization_id = ${organization} and reason = ${reasonOfMove}`;
  const [leased] = await into`
    select from deliveries where organization_id = ${organization} and worker_id is not null limit 1`;
  if (leased)
    throw new OperatorError(
      'A delivery of the organization is on its way: nothing was moved; run this again',
    );
  const [ahead] = await into`
    select 1 from events where organization_id = ${organization} and era >= (select event_era from installation)
    order by era desc, transaction_id desc, id desc limit 1`;
  if (ahead)
    throw new OperatorError(
      'This database has begun a new era of events meanwhile: nothing was moved; run this again',
    );
  const mails = await waitingMails(from, organization);
  for (const mail of mails) await putMailBack(into, mail);
  return { rows: Object.fromEntries(rows), people, applications, mails: mails.length };
}

async function copyApplications(from: Statements, into: Statements, organization: string): Promise<number> {
  const own = await applicationsOf(from, organization);
  const { count } = await into`
    insert into oauth_apps
    select * from jsonb_populate_recordset(null::oauth_apps, ${JSON.stringify(own.map(({ row }) => row))}::text::jsonb)
    on conflict (client_id) do nothing`;
  return count;
}

/** Of the same person there may be another account there. */
const ofPeople: readonly string[] = ['console_sessions', 'memberships'];

async function copyRows(
  from: Transaction,
  into: Transaction,
  { table, organization }: { table: CopiedTable; organization: string },
): Promise<number> {
  const columns = columnsOf(table);
  const isOfPeople = ofPeople.includes(table.name);
  const place = quoted(isOfPeople ? `moved_${table.name}` : table.name);
  if (isOfPeople) {
    await into.unsafe(`create temporary table ${place} (like ${quoted(table.name)}) on commit drop`);
  }
  let rows = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    const where = isRowOf(table, organization);
    const copy = `copy (select ${columns} from ${quoted(table.name)} where ${where}) to stdout`;
    for await (const chunk of copyOut(from.unsafe(copy))) {
      // Each row ends with one, and none stands within.
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1;
      yield chunk;
    }
  };
  await copyIn(into.unsafe(`copy ${place} (${columns}) from stdin`), counted());
  if (isOfPeople) {
    const values = table.columns.map((column) =>
      column === 'person_id' ? 'p.person' : `m.${quoted(column)}`,
    );
    const moved = await into.unsafe(
      `insert into ${quoted(table.name)} (${columns})
       select ${values.join(', ')} from ${place} m join moved_people p on p.former = m.person_id`,
    );
    if (moved.count !== rows) throw new Error(`A row of ${table.name} belongs to nobody`);
  }
  return rows;
}
