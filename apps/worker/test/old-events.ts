import { ManualClock, startDealkeep } from '@dealkeep/testing';

export const hour = 3_600_000;
export const day = 24 * hour;

/** An installation whose clock stands still, with what makes events and answers old. */
export async function startOldInstallation() {
  const clock = new ManualClock();
  const dealkeep = await startDealkeep({ clock, worker: false });
  const { sql } = dealkeep;
  const daysAgo = (days: number): string => new Date(clock.now().getTime() - days * day).toISOString();

  /** So many events of so long ago; their ids. */
  const makeEvents = async (organization: { id: string }, days: number, count = 1): Promise<string[]> => {
    const rows = await sql<{ id: string }[]>`
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      select ${organization.id}, 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'lead.created',
             gen_random_uuid(), ${daysAgo(days)}, '{}'
      from generate_series(1, ${count}) returning id`;
    return rows.map(({ id }) => id);
  };
  /** The age of an answer goes by the earlier of two clocks, and here one stands still in the past. */
  const datedAnswers = (moment: Date, from = sql) => from`
    update idempotent_answers set created_at = ${moment.toISOString()}`;
  const idsOf = async ({ id }: { id: string }, from = sql): Promise<string[]> =>
    (
      await from<{ id: string }[]>`select id from events where organization_id = ${id} order by occurred_at`
    ).map((row) => row.id);
  return { clock, dealkeep, daysAgo, makeEvents, datedAnswers, idsOf };
}
