import { isDeepStrictEqual } from 'node:util';
import { connect } from '@dealkeep/core/foundations';
import type { Instant, Stop } from '@dealkeep/testing';
import { type DealkeepOptions, eventually, startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished } from 'vitest';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** An organization with a hook on new leads, whose deliveries stay, and ways to count what a POST has made. */
export async function openCounted(options: DealkeepOptions) {
  const dealkeep = await startDealkeep({ worker: false, log: quiet, ...options });
  const organization = await dealkeep.createOrganization();
  const hook = { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' };
  expect((await dealkeep.as(organization.key).post('/webhooks', hook)).status).toBe(201);
  // Looks on from beside the line that the requests take.
  const sql = connect(dealkeep.databaseUrl, { connections: 1, name: 'onlooker' });
  onTestFinished(() => sql.end());
  return {
    dealkeep,
    sql,
    api: dealkeep.as(organization.key),

    /** POST /leads with its name as the key; undefined when no answer comes. */
    async create(baseUrl: string, body: { name: string }) {
      const response = await fetch(`${baseUrl}/leads`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${organization.key}`,
          'content-type': 'application/json',
          'idempotency-key': body.name,
          connection: 'close',
        },
        body: JSON.stringify(body),
      }).catch(() => undefined);
      if (!response) return undefined;
      const replayed = response.headers.get('idempotent-replayed') === 'true';
      return { status: response.status, replayed, text: await response.text() };
    },

    /** How many there are of everything that one POST makes. */
    async made(name: string) {
      const [counts] = await sql<{ leads: number; events: number; deliveries: number; answers: number }[]>`
        select
          (select count(*) from leads where name = ${name})::integer as leads,
          (select count(*) from events where envelope::jsonb #>> '{data,name}' = ${name})::integer as events,
          (select count(*) from deliveries d join events e on e.id = d.event_id
            where e.envelope::jsonb #>> '{data,name}' = ${name})::integer as deliveries,
          (select count(*) from idempotent_answers where idempotency_key = ${name})::integer as answers`;
      return counts;
    },

    /** Waits until the database has let a session go. */
    ended: ({ backend }: Stop) =>
      eventually(async () =>
        expect(await sql`select from pg_stat_activity where pid = ${backend}`).toHaveLength(0),
      ),
  };
}

export const nothing = { leads: 0, events: 0, deliveries: 0, answers: 0 };

/**
 * The credential, what was revoked, the lease of the rate limit, the small tables, the jobs of deliveries, and what
 * a new connection is asked first, which is made once more where it breaks.
 */
const besideTheWork =
  /from api_keys|from revocations|rate_windows|^select directory_version|graphile_worker.add_jobs|^select$/;

/** Of the one transaction. */
export const isOfTheWork = ({ statement, opening }: Instant): boolean =>
  !besideTheWork.test(statement) && !besideTheWork.test(opening);

export const isCommit = (instant: Instant): boolean =>
  instant.state === 'answered' && instant.statement === 'commit' && isOfTheWork(instant);

/** The database has committed; whoever asked does not know. */
export const isCommitted = (stop: Stop): boolean => [...stop.passed, stop].some(isCommit);

/** The commit has gone to the database, and no answer has come from it. */
export const isCommitAsked = (stop: Stop): boolean =>
  !isCommitted(stop) && stop.passed.some((instant) => instant.statement === 'commit' && isOfTheWork(instant));

/** Wants each instant that counts once; lists those that were wanted. */
export function eachOnce(counts: (instant: Instant) => boolean) {
  const instants: Instant[] = [];
  const wanted = (instant: Instant): boolean => {
    if (!counts(instant) || instants.some((each) => isDeepStrictEqual(each, instant))) return false;
    instants.push(instant);
    return true;
  };
  return { instants, wanted };
}

/** The parts of the work, so that nobody stands still at nothing. */
const steps = [
  /^begin\b/,
  /pg_try_advisory_xact_lock.* idempotent_answers/,
  /insert into "leads"/,
  /^commit$/,
];
const end = [/insert into events.* insert into deliveries.* insert into idempotent_answers/];
/** Where records are distributed. */
const endInTwo = [/insert into events/, /insert into deliveries.* insert into idempotent_answers/];

/** Fails when a part of the work is not among the instants. */
export function expectEveryStep(
  { core }: TestDealkeep,
  instants: readonly Instant[],
  more: readonly RegExp[] = [],
): void {
  const asked = instants.filter(({ state }) => state === 'asked').map(({ statement }) => statement);
  const all = [...steps, ...core.placement.choose({ together: end, apart: endInTwo }), ...more];
  for (const step of all) expect(asked).toContainEqual(expect.stringMatching(step));
  expect(instants.filter(isCommit)).toHaveLength(1);
}

/**
 * As clients do with a 503. postgres.js 3.4.9 tells the error that ended a session once more, to the first statement
 * of the next session on that connection, which it has not sent.
 */
export const until503IsOver = <Answered extends { status: number }>(
  ask: () => Promise<Answered | undefined>,
): Promise<Answered | undefined> =>
  eventually(async () => {
    const answer = await ask();
    expect(answer?.status).not.toBe(503);
    return answer;
  });
