import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@dealkeep/core';
import { eventually, type Stop, WatchedLine } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import {
  eachOnce,
  expectEveryStep,
  isCommitAsked,
  isCommitted,
  isOfTheWork,
  nothing,
  openCounted,
} from './created-once.ts';

async function openThroughALine() {
  const lines: WatchedLine[] = [];
  const counted = await openCounted({
    between: async (url) => {
      const line = await WatchedLine.open(url);
      lines.push(line);
      return line.url;
    },
  });
  const [line] = lines;
  if (!line) throw new Error('Nothing stands between Dealkeep and its database');
  return { ...counted, line };
}

type Ending = (stop: Stop, sql: Database) => Promise<void>;
const cut: Ending = async (stop) => stop.cut();
/** What the database has answered still arrives, and then that it ends. */
const endSession: Ending = async (stop, sql) => {
  await sql`select pg_terminate_backend(${stop.backend}::integer)`;
  stop.resume();
};

/** Company, contact and lead; the hook is for the lead alone. */
const once = { leads: 1, events: 3, deliveries: 1, answers: 1 };

test.each([
  ['is cut', cut, 503],
  ['ends with its session', endSession, 201],
] as const)(
  'a connection to the database that %s between any two statements: 503, all or nothing is done, and the same key gets the one record',
  async (_, end, afterCommit) => {
    const { line, sql, dealkeep, api, create, made, ended } = await openThroughALine();
    const { instants, wanted } = eachOnce(isOfTheWork);
    let count = 0;
    for (;;) {
      count += 1;
      const name = `Lost at ${count}`;
      const body = { name, company: { name }, contact: { name } };
      const reached = line.stopAt(wanted);
      const answer = create(dealkeep.baseUrl, body);
      const stop = await Promise.race([reached, answer.then(() => undefined)]);
      line.letPass();
      if (!stop) {
        const { status } = (await answer) ?? {};
        if (status === 201) break;
        // It was told what ended the session before, and got no further.
        expect(status).toBe(503);
        expect((await until503IsOver(() => create(dealkeep.baseUrl, body)))?.status).toBe(201);
        continue;
      }
      const { statement } = stop;
      await end(stop, sql);
      const status = (await answer)?.status;
      await ended(stop);
      const found = await made(name);
      // The commit goes out behind the last write: where that one's answer stands still, only the database knows.
      const committed = isCommitted(stop) || (isCommitAsked(stop) && isDeepStrictEqual(found, once));
      const statuses = isCommitted(stop) ? [afterCommit] : committed ? [afterCommit, 503] : [503];
      expect(statuses, statement).toContain(status);
      expect([statement, found]).toEqual([statement, committed ? once : nothing]);

      const again = await until503IsOver(() => create(dealkeep.baseUrl, body));
      expect([statement, again?.status, again?.replayed]).toEqual([statement, 201, committed]);
      expect([statement, await made(name)]).toEqual([statement, once]);
      const { id } = JSON.parse(again?.text ?? '').data;
      expect((await until503IsOver(() => api.get(`/leads/${id}`)))?.text).toBe(again?.text);
    }
    expectEveryStep(dealkeep, instants, [/insert into "companies"/, /insert into "contacts"/]);
    expect(await sql`select from companies`).toHaveLength(count);
    expect(await sql`select from contacts`).toHaveLength(count);
    expect(await sql`select from leads`).toHaveLength(count);
  },
);

/**
 * As clients do with a 503. postgres.js 3.4.9 tells the error that ended a session once more, to the first statement
 * of the next session on that connection, which it has not sent.
 */
const until503IsOver = <Answered extends { status: number }>(
  ask: () => Promise<Answered | undefined>,
): Promise<Answered | undefined> =>
  eventually(async () => {
    const answer = await ask();
    expect(answer?.status).not.toBe(503);
    return answer;
  });
