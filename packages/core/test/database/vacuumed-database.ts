import { rm } from 'node:fs/promises';
import { connect, type Database, migrate, noLimits } from '@dealkeep/core/foundations';
import { startEmbeddedPostgres, throwawayFolder, throwawaySettings } from '@dealkeep/embedded-postgres';
import { eventually } from '@dealkeep/testing';
import { expect, onTestFinished } from 'vitest';
import { migrationPatience } from '../../src/foundations/operating-limits.ts';

/** A database on a server of its own whose autovacuum has the table of organizations, for far longer than a test. */
export async function vacuumedDatabase(upTo?: string): Promise<{ url: string; sql: Database }> {
  const dataDir = await throwawayFolder();
  const settings = { ...throwawaySettings, autovacuum: 'on', autovacuum_naptime: '1s' };
  const { url, stop } = await startEmbeddedPostgres({ dataDir, settings });
  // Without the limit of requests, as moves and migrations are: removing the rows takes long on a busy machine.
  const sql = connect(url, { connections: 1, name: 'test', limits: noLimits });
  onTestFinished(async () => {
    await sql.end();
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  await migrate(url, migrationPatience, upTo);
  await sql.unsafe(`alter table organizations set (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)`);
  await sql`
    insert into organizations (id, slug, name, country_code, currency, time_zone, max_webhooks, max_keys, created_at)
    select gen_random_uuid(), n, repeat('Long ', 100), 'SK', 'EUR', 'Europe/Bratislava', 1, 1, now() from generate_series(1, 10000) n`;
  await sql`delete from organizations where slug::integer % 2 = 0`;
  const vacuums = () => sql`
    select from pg_stat_activity where backend_type = 'autovacuum worker' and query like '%public.organizations'`;
  await eventually(async () => expect(await vacuums()).toHaveLength(1));
  return { url, sql };
}
