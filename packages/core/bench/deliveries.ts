import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, newSecretsKey } from '@dealkeep/core/foundations';
import { startEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import { measureBacklog } from './deliveries/backlog.ts';
import { measureBesideBacklog } from './deliveries/beside-backlog.ts';
import { measureBurst } from './deliveries/burst.ts';
import { measureCostOfCreate } from './deliveries/cost-of-create.ts';
import { measureIdle } from './deliveries/idle.ts';
import { measureLatency } from './deliveries/latency.ts';
import type { BenchTarget } from './deliveries/organization.ts';
import { measurePostsBesideWorker } from './deliveries/posts-beside-worker.ts';
import { measureSecondWorker } from './deliveries/second-worker.ts';
import { measureThroughput } from './deliveries/throughput.ts';
import { type Row, rounded } from './row.ts';

export interface DeliveriesOptions {
  /** Fewer of everything: whether it works rather than how fast. */
  quick: boolean;
  /** Due deliveries of the backlog. */
  backlog: number;
  /** One of `parts` alone; all when absent. */
  only?: string | undefined;
}

interface Extent extends DeliveriesOptions {
  target: BenchTarget;
  say(line: string): void;
}

/** What is measured, in this order. */
const parts: Readonly<Record<string, (extent: Extent) => Promise<Row[]>>> = {
  async latency({ target, quick, say }) {
    const rows: Row[] = [];
    const leads = quick ? 50 : 300;
    for (const hanging of [0, 200, 2000]) {
      say(`Latency beside ${hanging} webhooks that hang: ${leads} leads, one after another`);
      rows.push(...(await measureLatency(target, { leads, hanging })));
    }
    return rows;
  },
  async throughput({ target, quick, say }) {
    const rows: Row[] = [];
    for (const [webhooks, goal] of [
      [50, '>= 0.65'],
      [1, '>= 0.50'],
    ] as const) {
      say(`Throughput: slices of 5,000 deliveries of 1 KB to ${webhooks} webhooks, and of the bare loop`);
      rows.push(...(await measureThroughput(target, { slices: quick ? 2 : 7, webhooks, goal }, say)));
    }
    return rows;
  },
  burst({ target, quick, say }) {
    say('Many deliveries of one webhook at once, to a queue that was idle');
    return measureBurst(target, { deliveries: quick ? 5_000 : 20_000, pairs: quick ? 1 : 3 }, say);
  },
  async create({ target, quick, say }) {
    const rows: Row[] = [];
    for (const perSecond of [undefined, 20]) {
      say('Leads with a key: with their delivery, and alone');
      const extent = { leads: perSecond === undefined ? (quick ? 1000 : 4000) : quick ? 100 : 400 };
      const paced = perSecond === undefined ? {} : { perSecond };
      rows.push(...(await measureCostOfCreate(target, { ...extent, ...paced, pairs: quick ? 2 : 5 }, say)));
    }
    return rows;
  },
  posts({ target, quick, say }) {
    say('Leads of an organization without a hook, of one with a hook, and beside the worker');
    return measurePostsBesideWorker(target, { leads: quick ? 1000 : 3000, rounds: quick ? 2 : 5 }, say);
  },
  beside({ target, quick, say }) {
    say('Deliveries of 500 webhooks beside a backlog of 100,000 of one, and without it');
    return measureBesideBacklog(target, { backlog: 100_000, others: 500, pairs: quick ? 2 : 5 }, say);
  },
  idle({ target, quick, say }) {
    const idle = { retries: 10_000, seconds: quick ? 20 : 60 };
    say(`A worker with nothing to send, for ${idle.seconds} seconds each`);
    return measureIdle(target, idle, say);
  },
  backlog({ target, backlog, say }) {
    say(`A backlog of ${backlog.toLocaleString('en')} due deliveries to 100 webhooks`);
    return measureBacklog(target, backlog, say);
  },
  async second({ target, quick, say }) {
    const rows: Row[] = [];
    for (const answerMs of [0, 100]) {
      say(`A second worker comes and goes; receivers take ${answerMs} ms`);
      const extent = quick
        ? { size: 100_000, pairs: 1, warmUp: 1, seconds: 3 }
        : { size: 400_000, pairs: 3, warmUp: 3, seconds: 6 };
      rows.push(...(await measureSecondWorker(target, { ...extent, answerMs }, say)));
    }
    return rows;
  },
};

/**
 * How fast deliveries are, on the database that `npm start` brings, with its usual settings: from commit to receiver
 * at light load and beside webhooks that hang, in bulk beside a bare loop that posts the same signed bodies, and
 * with a backlog.
 */
export async function benchDeliveries(
  say: (line: string) => void,
  options: DeliveriesOptions,
): Promise<Row[]> {
  const { only } = options;
  const measured = Object.entries(parts).filter(([name]) => only === undefined || name === only);
  if (measured.length === 0) throw new Error(`There are ${Object.keys(parts).join(', ')}`);
  const dataDir = await mkdtemp(join(tmpdir(), 'dealkeep-bench-'));
  const server = await startEmbeddedPostgres({
    dataDir,
    // The one setting that differs: PostgreSQL then knows the moment of each commit.
    settings: { track_commit_timestamp: 'on' },
  });
  const rows: Row[] = [];
  try {
    await migrate(server.url);
    const target = { databaseUrl: server.url, secretsKey: newSecretsKey() };
    for (const [, measure] of measured) rows.push(...(await measure({ ...options, target, say })));
    rows.push({
      what: 'load of the machine meanwhile',
      value: rounded(loadavg()[2] ?? Number.NaN),
      unit: '',
    });
    return rows;
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
