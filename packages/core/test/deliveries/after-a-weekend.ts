import { startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { startAnotherWorker } from './another-worker.ts';
import { subscribe } from './subscriber.ts';

/** A hook that has failed for 10 hours when a weekend of 80 hours begins that is over now. */
export async function afterAWeekend() {
  const dealkeep = await startDealkeep({ worker: false });
  const { sql } = dealkeep;
  const receiver = await startHookReceiver();
  receiver.answerWith(500);
  const subscriber = await subscribe(dealkeep, receiver.url);
  await subscriber.createLead();
  await sql`update webhooks set failing_since = clock_timestamp() - interval '90 hours'`;
  await sql`update worker_activity set seen_at = clock_timestamp() - interval '80 hours'`;
  const hoursOf = async () => {
    const [row] = await sql<{ failing: number; inactive: number }[]>`
      select round(extract(epoch from clock_timestamp() - failing_since) / 3600)::integer as failing,
             round(extract(epoch from clock_timestamp() - seen_at) / 3600)::integer as inactive
      from webhooks, worker_activity`;
    return row;
  };
  /** A worker that has looked around. */
  const work = (options: { deliveriesHeld: boolean }) => startAnotherWorker(dealkeep, { core: options });
  return { ...dealkeep, ...subscriber, receiver, hoursOf, work };
}
