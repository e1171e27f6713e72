import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Bystander } from './deliveries/bystander.ts';
import { type Disturbed, runDisturbances } from './deliveries/disturbances.ts';
import { type FeedReaders, startFeedReaders } from './deliveries/feed-readers.ts';
import { Installation } from './deliveries/installation.ts';
import { judgeFeed } from './deliveries/judge-feed.ts';
import { type Told, writeLeads } from './deliveries/load.ts';
import { writeInLongTransactions } from './deliveries/long-transactions.ts';
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
/** What the subscribers are told of. */
const events = ['lead.created', 'lead.updated'];

interface Soak {
  installation: Installation;
  subscribers: Subscribers;
  readers: FeedReaders;
  bystander: Bystander;
}

/**
 * Two programs on one database, under load, while programs and database are killed, restarted and stopped, the
 * network is cut and the clock is set at random instants. Afterwards every event of every committed change must have
 * reached every hook, and an attempt may have come twice only if it was in flight at such an instant; and everybody
 * who followed the feed meanwhile must have been shown the same events, each once, in one order. Answers whether
 * that holds.
 */
export async function soakDeliveries({ until, stop, say }: SoakOptions): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dealkeep-soak-'));
  const installation = await Installation.start(dataDir);
  const subscribers = await startSubscribers();
  const bystander = await Bystander.start(installation.databaseUrl);
  const endOfLoad = new AbortController();
  try {
    for (const url of subscribers.urls) await installation.post('/webhooks', { target_url: url, events });
    const { databaseUrl, organization, token } = installation;
    const anyBaseUrl = (): string => installation.anyBaseUrl();
    const readers = startFeedReaders(anyBaseUrl, token);
    const writing = Promise.all([
      writeLeads(anyBaseUrl, token, endOfLoad.signal),
      writeInLongTransactions(databaseUrl, organization, endOfLoad.signal),
    ]);
    const disturbed = await Promise.race([
      runDisturbances({
        installation,
        subscribers,
        stop,
        say,
        until: 'kills' in until ? until : { time: Date.now() + until.minutes * 60_000 },
      }),
      // They end before only when they fail.
      ...[writing, readers.reading].map((each) =>
        each.then(() => Promise.reject(new Error('The load ended'))),
      ),
    ]);
    endOfLoad.abort();
    const [told, imported] = await writing;
    say(`requests answered with 201 or 200: ${told.changes.length}, refused or broken off: ${told.refused}`);
    const soak = { installation, subscribers, readers, bystander };
    const isDelivered = await judgeDeliveries(soak, disturbed, say);
    return [isDelivered, await judgeReading(soak, { told, imported }, say)].every((holds) => holds);
  } finally {
    endOfLoad.abort();
    await bystander.stop();
    await installation.stop();
    await subscribers.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function judgeDeliveries(
  { installation, subscribers, bystander }: Soak,
  { periods, kills, summary, longestMs }: Disturbed,
  say: SoakOptions['say'],
): Promise<boolean> {
  const waiting = await drain(installation, subscribers);
  if (waiting > 0) say(inspect(await installation.state(), { depth: null }));
  const told = await installation.sql<{ id: string }[]>`select id from events where type = any(${events})`;
  const ids = told.map(({ id }) => id);
  const lost = subscribers.countLost(ids);
  const unknown = subscribers.unknown(ids);
  const { twice, unexplained, latest } = subscribers.countRepeated(periods, (from, to) =>
    bystander.commitsBetween(from, to),
  );
  say(`disturbances: ${periods.length}, of them kills: ${kills} (${summary})`);
  say(`events: ${ids.length}, deliveries: ${ids.length * subscribers.urls.length}`);
  say(`deliveries lost: ${lost}, still waiting: ${waiting}, of events that are not there: ${unknown.length}`);
  say(`attempts that came twice: ${twice}, of those not in flight at a disturbance: ${unexplained.length}`);
  if (latest)
    say(`answered at most ${latest.ms} ms, or ${latest.commits} commits of a bystander, before one`);
  for (const story of unexplained.slice(0, 20)) say(story);
  const longest = [...longestMs].sort(([, a], [, b]) => b - a);
  say(`longest until deliveries went on: ${longest.map(([kind, ms]) => `${kind} ${ms} ms`).join(', ')}`);
  const holds =
    [waiting, lost, unknown.length, unexplained.length].every((count) => count === 0) &&
    longest.every(([, ms]) => ms <= longestRecoveryMs);
  say(`deliveries: ${holds ? 'PASSED' : 'FAILED'}`);
  return holds;
}

async function judgeReading(
  { installation, readers }: Soak,
  written: { told: Told; imported: readonly string[] },
  say: SoakOptions['say'],
): Promise<boolean> {
  const feed = await readers.finish();
  const committed = await installation.sql<{ id: string }[]>`select id from events`;
  const wrong = judgeFeed({ ...feed, ...written, committed: committed.map(({ id }) => id) });
  for (const { name, seen, wentBack } of feed.readers) {
    say(`the feed, ${name}: ${seen.length} events${wentBack > 0 ? `, went back ${wentBack} times` : ''}`);
  }
  const { told, imported } = written;
  say(
    `the feed: ${feed.all.length} events, of ${told.changes.length} acknowledged changes and ${imported.length} events of long transactions; wrong: ${wrong.length}`,
  );
  for (const line of wrong.slice(0, 50)) say(line);
  say(`the feed: ${wrong.length === 0 ? 'PASSED' : 'FAILED'}`);
  return wrong.length === 0;
}

/**
 * Waits until all is sent, to subscribers who are well again. Retries would wait for hours, so each is made due;
 * also one of an attempt that was in flight when the subscribers became well, and failed later. Answers how many are
 * left once they become no fewer.
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
