// One PostgreSQL for one test run, as a process of its own that lives as long as its stdin is open. The
// operating system closes that when the test run ends, whether it passes, fails, is interrupted or killed;
// so nothing stays behind.
import { rm } from 'node:fs/promises';
import { startEmbeddedPostgres, throwawayFolder, throwawaySettings } from '@dealkeep/embedded-postgres';

const dataDir = await throwawayFolder();
try {
  const starting = startEmbeddedPostgres({
    dataDir,
    settings: {
      ...throwawaySettings,
      max_connections: 200,
      max_wal_size: '128MB',
      min_wal_size: '32MB',
      autovacuum: 'off',
      // Of passwords that are set from now on; else each of thousands of connections takes 4,096 rounds.
      scram_iterations: 1,
      // Which statements there were, for `npm run check:statements`.
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.max': 50_000,
      'pg_stat_statements.save': 'off',
      'pg_stat_statements.track_utility': 'off',
    },
  });
  // Loaded while PostgreSQL starts.
  const [server, { createTemplate }] = await Promise.all([starting, import('./template.ts')]);
  try {
    const prepared = await createTemplate(server.url);
    // Whoever waited for this line may be gone already; then stdin is at its end, too.
    process.stdout.on('error', () => {});
    process.stdout.write(`${JSON.stringify(prepared)}\n`);
    for await (const _ of process.stdin);
  } finally {
    await server.stop();
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
