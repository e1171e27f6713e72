import { expect, onTestFinished } from 'vitest';
import { connect } from '../../src/foundations/database/connect.ts';
import { inTransaction } from '../../src/foundations/database/in-transaction.ts';
import { noLimits } from '../../src/foundations/operating-limits.ts';

const own = 'select pg_backend_pid() || pg_current_xact_id()::text as transaction';

/**
 * Begins transactions behind so many statements that the begin is the one that fills a connection of postgres.js, or
 * its socket (porsager/postgres#1189).
 */
export async function expectOwnConnections(url: string): Promise<void> {
  const sql = connect(url, { connections: 2, name: 'test', limits: noLimits });
  onTestFinished(() => sql.end({ timeout: 5 }));
  await Promise.all([sql`select pg_sleep(.01)`, sql`select pg_sleep(.01)`]);
  // A statement that is just too short to be written at once, but for what follows it.
  for (const text of ['', 'x'.repeat(980)]) {
    for (let before = 195; before <= 203; before += 1) {
      const statements = Promise.all(Array.from({ length: before }, () => sql`select length(${text})`));
      // By then they are sent.
      for (let turn = 0; turn < 5; turn += 1) await undefined;
      const begun = Array.from({ length: 4 }, () =>
        inTransaction(sql, async (tx) => {
          const [first] = await tx.unsafe(own);
          const [last] = await tx.unsafe(own);
          expect(first).toEqual(last);
          return first?.['transaction'];
        }),
      );
      expect(new Set(await Promise.all(begun)).size).toBe(4);
      await statements;
    }
  }
}
