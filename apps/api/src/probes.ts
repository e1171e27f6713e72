import { createHash, timingSafeEqual } from 'node:crypto';
import type { Core } from '@dealkeep/core';
import { pausedSince } from '@dealkeep/core/change';
import {
  isTemporaryFailure,
  lackingInWords,
  migrationStatus,
  Problem,
  RightsProof,
} from '@dealkeep/core/foundations';
import type { Hono } from 'hono';
import type { ApiEnvironment } from './api-environment.ts';

/**
 * `/healthz`: the process lives. `/readyz`: it goes on, the database is reachable, its migrations are those of this
 * version, and the role of the program has its rights.
 */
export function healthRoutes(app: Hono<ApiEnvironment>, core: Core): void {
  const rights = new RightsProof(core.readinessSql);
  app.get('/healthz', (c) => c.json({ status: 'alive' }));
  app.get('/readyz', async (c) => {
    if (c.env.stopping) return c.json({ status: 'stopping' }, 503);
    try {
      const { pending, unknown } = await migrationStatus(core.readinessSql);
      if (unknown.length > 0) return c.json({ status: 'database is newer', unknown }, 503);
      if (pending.length === 0) {
        const lacking = await rights.lacking();
        if (lacking.length > 0) {
          core.log.warn({ lacking: lackingInWords(lacking) }, 'The role of the program lacks rights');
          return c.json({ status: 'rights are missing' }, 503);
        }
        // Ready although nothing is sent: requests are answered.
        if (core.deliveriesHeld) return c.json({ status: 'ready', deliveries: 'held' });
        const paused = (await pausedSince(core.readinessSql)) !== null;
        return c.json({ status: 'ready', ...(paused ? { deliveries: 'paused' } : {}) });
      }
      return c.json({ status: 'migrations pending', pending }, 503);
    } catch (error) {
      if (!isTemporaryFailure(error)) throw error;
      core.log.warn({ error }, 'The database cannot be reached');
      return c.json({ status: 'database not reachable' }, 503);
    }
  });
}

/** `/metrics` in Prometheus' text format, for who has the token; without a token there is no such page. */
export function metricsRoutes(app: Hono<ApiEnvironment>, core: Core, token: string | undefined): void {
  if (token === undefined) return;
  const expected = digest(token);
  app.get('/metrics', async (c) => {
    const given = /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (given === undefined || !timingSafeEqual(digest(given), expected)) throw new Problem('metrics.token');
    await core.databaseGauges.refresh();
    const { registry } = core.metrics;
    return c.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType });
  });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
