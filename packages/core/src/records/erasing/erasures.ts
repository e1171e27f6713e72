import type { Operations } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Services } from '../../change/services.ts';
import type { Changing } from '../../change/verb/verb.ts';
import type { Transaction } from '../../foundations/database/connect.ts';
import { erasureSecondLookMs } from '../../foundations/operating-limits.ts';
import { ofAllOrganizations } from '../../identity/tenancy/due-organizations.ts';
import type { Asked } from './find-records.ts';
import { overwriteAnswers } from './overwrite-answers.ts';
import { overwriteEvents, type Walked } from './overwrite-events.ts';
import { overwriteRecords } from './overwrite-records.ts';

const namesErasedAtOnce = 1000;

/**
 * Overwrites what the audit log called the records of an erasure; who did what stays, and so do the numbers of
 * orders and invoices. Answers whether there are no more.
 */
async function overwriteEntryNames(
  sql: Transaction,
  organization: string,
  erasure: string,
): Promise<boolean> {
  const [row] = await sql<{ count: number }[]>`
    select erase_names_of_audit_entries(${organization}, ${erasure}, ${namesErasedAtOnce}) as count`;
  return (row?.count ?? 0) < namesErasedAtOnce;
}

/** What the API answers of an erasure. */
export type ShownErasure = z.output<Operations['contacts.erase']['answer']>;

const nothingYet = { records: 0, events: 0, deliveries: 0, attempts: 0, answers: 0 };
type Counts = Readonly<typeof nothingYet>;

/** An erasure and how far it is. */
export interface Erasure extends Asked {
  readonly organization_id: string;
  readonly requested_at: string;
  readonly counts: Counts;
  /** Null when there is nothing more to do. */
  readonly stage: 'records' | 'events' | 'answers' | null;
  readonly place: readonly string[] | null;
  readonly finished_at: string | null;
}

/** Who asks for it. */
interface Asker {
  readonly user: string;
  readonly key: string | null;
}

/** Begins an erasure: the entry that stays. */
export async function beginErasure(
  { sql, organization, now }: Changing,
  asked: Asked,
  { user, key }: Asker,
): Promise<Erasure> {
  const counts = nothingYet;
  await sql`
    insert into erasures (organization_id, id, kind, record_id, requested_by, api_key_id, requested_at, counts, stage)
    values (${organization}, ${asked.id}, ${asked.kind}, ${asked.record_id}, ${user}, ${key}, ${now},
            ${sql.json(counts)}, 'records')`;
  const begun = { requested_at: now, stage: 'records', place: null, finished_at: null } as const;
  return { ...asked, ...begun, organization_id: organization, counts };
}

/** The erasure of a record that is not finished yet, locked; undefined where there is none. */
export async function lockUnfinished(
  { sql, organization }: Changing,
  record: string,
): Promise<Erasure | undefined> {
  const [found] = await sql<Erasure[]>`
    select organization_id, id, kind, record_id, requested_at, counts, stage, place, finished_at from erasures
    where organization_id = ${organization} and record_id = ${record} and finished_at is null
    order by requested_at desc limit 1 for update`;
  return found;
}

/** Erasures that are looked at for one that no other worker has. */
const erasuresLookedAt = 20;

/** The next erasure of all organizations with something to do, locked; one that another worker has is left to it. */
export async function lockNext(sql: Transaction, now: string): Promise<Erasure | undefined> {
  const secondLook = new Date(Date.parse(now) - erasureSecondLookMs).toISOString();
  // By itself, because records may stand on other servers. What has moved to another installation goes on there.
  const moved = await sql<{ id: string }[]>`select id from organizations where moved_at is not null`;
  const isDue = sql`stage is not null and (finished_at is null or requested_at <= ${secondLook})`;
  const next = await sql<Pick<Erasure, 'organization_id' | 'id'>[]>`
    select ${ofAllOrganizations(sql)} organization_id, id from erasures
    where ${isDue} and organization_id <> all(${moved.map(({ id }) => id)}::uuid[])
    order by requested_at limit ${erasuresLookedAt}`;
  for (const { organization_id, id } of next) {
    const [found] = await sql<Erasure[]>`
      select organization_id, id, kind, record_id, requested_at, counts, stage, place, finished_at from erasures
      where organization_id = ${organization_id} and id = ${id} and ${isDue} for update skip locked`;
    if (found) return found;
  }
  return undefined;
}

/**
 * Does the next part of an erasure, and notes how far it is then. The log of events and the stored answers are gone
 * through twice: what was on its way when the records were overwritten may have known them as they were.
 */
export async function goOn(
  core: Services,
  sql: Transaction,
  erasure: Erasure,
  now: string,
): Promise<Erasure> {
  const { counts, ...next } = await nextPart(core, sql, erasure, now);
  const sums = Object.entries(erasure.counts).map(([name, count]): [string, number] => [
    name,
    count + (counts[name as keyof Counts] ?? 0),
  ]);
  const after = { ...erasure, ...next, counts: { ...erasure.counts, ...Object.fromEntries(sums) } };
  const { organization_id: organization, id } = erasure;
  await sql`
    update erasures set counts = ${sql.json(after.counts)}, stage = ${after.stage},
                        place = ${after.place === null ? null : [...after.place]}, finished_at = ${after.finished_at}
    where organization_id = ${organization} and id = ${id}`;
  if (after.stage === null) {
    await sql`delete from erasing_records where organization_id = ${organization} and erasure_id = ${id}`;
  }
  return after;
}

type Part = Pick<Erasure, 'stage' | 'place' | 'finished_at'> & { readonly counts: Partial<Counts> };

async function nextPart(core: Services, sql: Transaction, erasure: Erasure, now: string): Promise<Part> {
  const { organization_id: organization, stage, place, finished_at } = erasure;
  const until = new Date(Date.parse(erasure.requested_at) + erasureSecondLookMs).toISOString();
  const walked: Walked = { organization, erasure: erasure.id, until };
  if (stage === 'records') {
    const { records, isLast } = await overwriteRecords(sql, organization, erasure, now);
    return { stage: isLast ? 'events' : 'records', place: null, finished_at, counts: { records } };
  }
  if (stage === 'events') {
    // Names in the audit log first, each time that the events are gone through.
    if (place === null && !(await overwriteEntryNames(sql, organization, erasure.id))) {
      return { stage, place, finished_at, counts: {} };
    }
    const { next, ...counts } = await overwriteEvents(sql, walked, place?.[0] ?? null);
    if (next !== undefined) return { stage, place: [next], finished_at, counts };
    return { stage: 'answers', place: null, finished_at, counts };
  }
  const [credential, key] = place ?? [];
  const after = credential === undefined || key === undefined ? null : ([credential, key] as const);
  const { answers, next } = await overwriteAnswers(core, sql, walked, after);
  if (next !== undefined) return { stage, place: next, finished_at, counts: { answers } };
  const again = finished_at === null;
  return {
    stage: again ? 'events' : null,
    place: null,
    finished_at: finished_at ?? now,
    counts: { answers },
  };
}

export const shown = ({ id, record_id, requested_at, finished_at, counts }: Erasure): ShownErasure => ({
  id,
  record_id,
  requested_at,
  finished_at,
  ...counts,
});
