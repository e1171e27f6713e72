import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@dealkeep/core/foundations';
import { type Instant, type Stop, WatchedLine } from '@dealkeep/testing';
import { expect } from 'vitest';
import {
  eachOnce,
  isCommitAsked,
  isCommitted,
  isOfTheWork,
  nothing,
  openCounted,
  until503IsOver,
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

export type Ending = (stop: Stop, sql: Database) => Promise<void>;
export const cut: Ending = async (stop) => stop.cut();
/** What the database has answered still arrives, and then that it ends. */
export const endSession: Ending = async (stop, sql) => {
  await sql`select pg_terminate_backend(${stop.backend}::integer)`;
  stop.resume();
};

/** Company, contact and lead; the hook is for the lead alone. */
const once = { leads: 1, events: 3, deliveries: 1, answers: 1 };

/**
 * Loses the connection of a POST at each instant that counts, and repeats it with its key: all or nothing is done,
 * and in the end one of each. Answers the instants.
 *
 * @param afterCommit what is answered where the connection is lost behind the commit
 */
export async function lostAtEach(counts: (instant: Instant) => boolean, end: Ending, afterCommit: 201 | 503) {
  const { line, sql, dealkeep, api, create, made, ended } = await openThroughALine();
  const { instants, wanted } = eachOnce((instant) => isOfTheWork(instant) && counts(instant));
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
  expect(await sql`select from companies`).toHaveLength(count);
  expect(await sql`select from contacts`).toHaveLength(count);
  expect(await sql`select from leads`).toHaveLength(count);
  return { dealkeep, instants };
}
