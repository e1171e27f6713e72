import { test } from 'vitest';
import { expectEveryStep } from './created-once.ts';
import { cut, endSession, lostAtEach } from './lost-connection.ts';

test.each([
  ['is cut', cut, 503],
  ['ends with its session', endSession, 201],
] as const)(
  'a connection to the database that %s between any two statements: 503, all or nothing is done, and the same key gets the one record',
  async (_, end, afterCommit) => {
    const { dealkeep, instants } = await lostAtEach(() => true, end, afterCommit);
    expectEveryStep(dealkeep, instants, [/insert into "companies"/, /insert into "contacts"/]);
  },
);
