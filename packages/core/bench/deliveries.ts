import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import { migrate, newSecretsKey } from '../src/index.ts';
import { measureLatency } from './deliveries/latency.ts';
import { measureThroughput } from './deliveries/throughput.ts';
import type { Row } from './row.ts';

/**
 * How fast deliveries are, on the database that `npm start` brings, with its usual settings: from commit to receiver
 * at light load, and in bulk beside a bare loop that posts the same signed bodies.
 */
export async function benchDeliveries(say: (line: string) => void): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dealkeep-bench-'));
  const server = await startEmbeddedPostgres({
    dataDir,
    // The one setting that differs: PostgreSQL then knows the moment of each commit.
    settings: { track_commit_timestamp: 'on' },
  });
  try {
    await migrate(server.url);
    const target = { databaseUrl: server.url, secretsKey: newSecretsKey() };
    say('Latency: 300 leads, one after another');
    const latency = await measureLatency(target);
    say('Latency beside 200 webhooks that hang');
    const few = await measureLatency(target, 200);
    say('Latency beside 2,000 webhooks that hang');
    const many = await measureLatency(target, 2000);
    say('Throughput: 20,000 deliveries of 1 KB to 100 webhooks, and the bare loop');
    const throughput = await measureThroughput(target, say);
    return [...latency, ...few, ...many, ...throughput];
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
