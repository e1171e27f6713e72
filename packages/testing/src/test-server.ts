// One PostgreSQL for one test run, as a process of its own that lives as long as its stdin is open. The
// operating system closes that when the test run ends, whether it passes, fails, is interrupted or killed;
// so nothing stays behind.
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, throwawaySettings } from '@dealkeep/embedded-postgres';

const dataDir = await mkdtemp(join(await fastFolder(), 'dealkeep-test-'));
try {
  const server = await startEmbeddedPostgres({
    dataDir,
    settings: {
      ...throwawaySettings,
      max_connections: 200,
      max_wal_size: '128MB',
      min_wal_size: '32MB',
      autovacuum: 'off',
    },
  });
  // Whoever waited for this line may be gone already; then stdin is at its end, too.
  process.stdout.on('error', () => {});
  process.stdout.write(`${server.url}\n`);
  for await (const _ of process.stdin);
  await server.stop();
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

/** Memory where there is enough: a new database takes 15 ms there, and up to 400 ms on a busy disk. */
async function fastFolder(): Promise<string> {
  const enough = 1_000_000_000;
  const memory = await statfs('/dev/shm').catch(() => undefined);
  return memory && memory.bavail * memory.bsize > enough ? '/dev/shm' : tmpdir();
}
