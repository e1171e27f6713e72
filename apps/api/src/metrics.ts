import { createHash, timingSafeEqual } from 'node:crypto';
import { type Core, Problem } from '@dealkeep/core';
import type { Hono } from 'hono';
import type { ApiEnvironment } from './api.ts';

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
