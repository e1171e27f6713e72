import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { type Disturbed, runDisturbances } from './deliveries/disturbances.ts';
import { Installation } from './deliveries/installation.ts';
import { makeLeads } from './deliveries/load.ts';
import { type Subscribers, startSubscribers } from './deliveries/subscribers.ts';

export interface SoakOptions {
  until: { kills: number } | { minutes: number };
  /** Ends it early; what was disturbed until then is judged. */
  stop: AbortSignal;
  say(line: string): void;
}

/** Deliveries go on by themselves within this time. */
const longestRecoveryMs = 10_000;
/** What waits at the end is sent, however much it is: within such a time some of it, or it never will be. */
const drainLimitMs = 60_000;

/**
 * Two programs on one database, under load, while programs and database are killed, restarted and stopped, the network
 * is cut and the clock is set at random instants. Afterwards every event of every committed change must have reached
 * every hook, and an attempt may have come twice only if it was in flight at such an instant. Answers whether that
 * holds.
 */
export async function soakDeliveries({ until, stop, say }: SoakOptions): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dealkeep-soak-'));
  const installation = await Installation.start(dataDir);
  const subscribers = await startSubscribers();
  const endOfLoad = new AbortController();
  try {
    for (const url of subscribers.urls) {
      await installation.post('/webhooks', { target_url: url, events: ['lead.created'] });
    }
    const load = makeLeads(() => installation.baseUrl, installation.token, endOfLoad.signal);
    const disturbed = await Promise.race([
      runDisturbances({
        installation,
        subscribers,
        stop,
        say,
        until: 'kills' in until ? until : { time: Date.now() + until.minutes * 60_000 },
      }),
      // It ends before only when it fails.
      load.then(() => Promise.reject(new Error('The load ended'))),
    ]);
    endOfLoad.abort();
    const { made, refused } = await load;
    say(`requests answered with 201: ${made.length}, refused or broken off: ${refused}`);
    return await judge(installation, subscribers, { disturbed, made, say });
  } finally {
    endOfLoad.abort();
    await installation.stop();
    await subscribers.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function judge(
  installation: Installation,
  subscribers: Subscribers,
  { disturbed, made, say }: { disturbed: Disturbed; made: readonly string[]; say: SoakOptions['say'] },
): Promise<boolean> {
  const waiting = await drain(installation, subscribers);
  if (waiting > 0) say(inspect(await installation.state(), { depth: null }));
  const events = await installation.sql<{ id: string; lead: string }[]>`
    select id, record_id as lead from events where type = 'lead.created'`;
  const leads = new Set(events.map(({ lead }) => lead));
  const unannounced = made.filter((lead) => !leads.has(lead)).length;
  const lost = subscribers.countLost(events.map(({ id }) => id));
  const { twice, unexplained } = subscribers.countRepeated(disturbed.periods);
  const { kills, summary, longestMs } = disturbed;
  say(`disturbances: ${disturbed.periods.length}, of them kills: ${kills} (${summary})`);
  say(`events: ${events.length}, deliveries: ${events.length * subscribers.urls.length}`);
  say(`acknowledged without event: ${unannounced}, deliveries lost: ${lost}, still waiting: ${waiting}`);
  say(`attempts that came twice: ${twice}, of those not in flight at a disturbance: ${unexplained.length}`);
  for (const story of unexplained.slice(0, 20)) say(story);
  say(`longest until deliveries went on: ${longestMs} ms`);
  const holds = [waiting, unannounced, lost, unexplained.length].every((count) => count === 0);
  const passed = holds && longestMs <= longestRecoveryMs;
  say(passed ? 'PASSED' : 'FAILED');
  return passed;
}

/**
 * Waits until all is sent, to subscribers who are well again. Retries would wait for hours, so each is made due; also one
 * of an attempt that was in flight when the subscribers became well, and failed later. Answers how many are left once
 * they become no fewer.
 */
async function drain(installation: Installation, subscribers: Subscribers): Promise<number> {
  subscribers.becomeWell();
  await installation.startMissing();
  const { sql } = installation;
  let fewest = Number.POSITIVE_INFINITY;
  for (let end = performance.now() + drainLimitMs; ; await sleep(500)) {
    await sql`
      update deliveries set due_at = created_at - interval '1 day'
      where attempts > 0 and worker_id is null and due_at >= created_at - interval '12 hours'`;
    const [row] = await sql<{ count: number }[]>`select count(*)::integer from deliveries`;
    const count = row?.count ?? 0;
    if (count < fewest) end = performance.now() + drainLimitMs;
    fewest = Math.min(fewest, count);
    if (count === 0 || performance.now() > end) return count;
  }
}
