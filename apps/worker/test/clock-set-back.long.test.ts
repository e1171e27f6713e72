import { mailTask } from '@dealkeep/core/change';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test, vi } from 'vitest';

const day = 24 * 3_600_000;

/** The machine's clock from now on, which goes on by itself. Answers the next full minute, when tasks begin. */
function setClock(days: number, secondsBeforeMinute: number): number {
  const minute = Math.ceil(Date.now() / 60_000) * 60_000 + days * day;
  vi.setSystemTime(minute - secondsBeforeMinute * 1000);
  return minute;
}

// Where the start takes longer than the minute lasts, tasks begin with the one after the next.
const patience = { timeout: 240_000 };

test(
  'a clock that is set back by a day keeps no task by the clock, and no mail, waiting for a day',
  patience,
  async () => {
    vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const ahead = setClock(1, 3);
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const { sql } = await startDealkeep({ log });
    const lastBegun = async (): Promise<number> => {
      const [row] = await sql<{ last_execution: string | null }[]>`
      select last_execution from graphile_worker._private_known_crontabs where identifier = 'remove_old_each_minute'`;
      return Date.parse(row?.last_execution ?? '');
    };
    // As if the clock had been ahead for longer.
    await sql`update graphile_worker._private_known_crontabs set last_execution = ${new Date(ahead).toISOString()}`;
    const [mail] = await sql<{ id: number }[]>`
    select id from graphile_worker.add_job(${mailTask}, '{}', run_at => now() + interval '1 day', job_key => 'ahead', flags => '{mail}')`;

    const back = setClock(-1, 8);
    const begun = async () => {
      const last = await lastBegun();
      expect(last).toBeGreaterThanOrEqual(back);
      expect(last).toBeLessThan(back + 5 * 60_000);
    };
    await eventually(begun, { timeout: 200_000 });
    await eventually(async () => {
      const [waiting] = await sql`
      select from graphile_worker.jobs where id = ${mail?.id ?? 0} and run_at > now() + interval '1 hour'`;
      expect(waiting).toBeUndefined();
    });
  },
);
