// One PostgreSQL for one test run, as a process of its own that lives as long as its stdin is open. The
// operating system closes that when the test run ends, whether it passes, fails, is interrupted or killed;
// so nothing stays behind.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, throwawaySettings } from '@dealkeep/embedded-postgres';

const dataDir = await mkdtemp(join(tmpdir(), 'dealkeep-test-'));
try {
  const server = await startEmbeddedPostgres({
    dataDir,
    settings: { ...throwawaySettings, max_connections: 200, autovacuum: 'off' },
  });
  process.stdout.write(`${server.url}\n`);
  for await (const _ of process.stdin);
  await server.stop();
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
