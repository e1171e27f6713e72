import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runDisturbances } from './deliveries/disturbances.ts';
import { Installation } from './deliveries/installation.ts';
import { makeLeads } from './deliveries/load.ts';
import { startSubscribers } from './deliveries/subscribers.ts';

/**
 * Two programs on one database, under load, while programs and database are killed, restarted and stopped at random
 * instants. Afterwards every event of every committed change must have reached every hook, and an attempt may have
 * come twice only if it was under way at such an instant. Answers whether that holds.
 */
export async function soakDeliveries(minutes: number, say: (line: string) => void): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dealkeep-soak-'));
  const installation = await Installation.start(dataDir);
  const { token } = installation;
  const subscribers = await startSubscribers();
  try {
    for (const url of subscribers.urls) {
      await installation.post('/webhooks', { target_url: url, events: ['lead.created'] });
    }
    const stop = new AbortController();
    const load = makeLeads(() => installation.baseUrl, token, stop.signal);
    const disturbed = await runDisturbances(installation, Date.now() + minutes * 60_000, say);
    stop.abort();
    const { made, refused } = await load;

    subscribers.becomeWell();
    await installation.restartEverything();
    const quiet = Date.now();
    let waiting = Number.POSITIVE_INFINITY;
    while (waiting > 0 && Date.now() - quiet < 120_000) {
      // Retries would wait for hours.
      await installation.sql`update deliveries set due_at = now() where worker_id is null and due_at > now()`;
      await sleep(500);
      const [row] = await installation.sql<{ count: number }[]>`select count(*)::integer from deliveries`;
      waiting = row?.count ?? 0;
    }
    const events = await installation.sql<{ id: string; lead: string }[]>`
      select id, record_id as lead from events where type = 'lead.created'`;
    const leads = new Set(events.map(({ lead }) => lead));
    const unannounced = made.filter((lead) => !leads.has(lead)).length;
    const lost = subscribers.countLost(events.map(({ id }) => id));
    const { twice, unexplained } = subscribers.countRepeated(disturbed.underWay);
    say(`disturbances: ${disturbed.count} (${disturbed.summary})`);
    say(`leads made: ${made.length}, requests refused or broken: ${refused}, events: ${events.length}`);
    say(`longest until deliveries went on: ${Math.round(disturbed.longestMs)} ms`);
    say(`still waiting: ${waiting}, leads without event: ${unannounced}, deliveries lost: ${lost}`);
    say(`attempts that came twice: ${twice}, of those not under way at a disturbance: ${unexplained}`);
    return waiting === 0 && unannounced === 0 && lost === 0 && unexplained === 0;
  } finally {
    await installation.stop();
    await subscribers.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
