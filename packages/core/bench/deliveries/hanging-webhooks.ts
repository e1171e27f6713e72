import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@dealkeep/core/foundations';
import { addDeliveries, addWebhooks } from './fill-queue.ts';
import { type BenchTarget, makeOrganization } from './organization.ts';

const eventsOfEach = 20;

/** Webhooks whose receiver takes every connection and says nothing; all have something waiting. */
export async function startHangingWebhooks(sql: Database, target: BenchTarget, count: number) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).resume();
    socket.on('close', () => sockets.delete(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
  if (count > 0) {
    const organization = await makeOrganization(sql);
    await addWebhooks(sql, target, organization, { url: `http://127.0.0.1:${port}`, webhooks: count });
    await addDeliveries(sql, organization, eventsOfEach);
  }
  return {
    /** Waits until as many hang as a worker could send to at once. */
    async allHang(): Promise<void> {
      while (sockets.size < Math.min(count, 200) * 0.9) await sleep(50);
    },
    /** What is left does not stand in the way of the next measurement. */
    async stop(): Promise<void> {
      server.close();
      for (const socket of sockets) socket.destroy();
      await sql`delete from deliveries`;
    },
  };
}
