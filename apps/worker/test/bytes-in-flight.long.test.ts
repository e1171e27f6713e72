import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '@dealkeep/contract';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { startWorker } from '@dealkeep/worker';
import { expect, onTestFinished, test } from 'vitest';

test('a worker sends 64 MiB of envelopes at once at most, and the others after them', async () => {
  // Each request stays open until two are there, so that whatever is in flight at once is seen.
  let [open, mostOpen, received] = [0, 0, 0];
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    request.resume();
    request.once('end', () => {
      received += 1;
      waiting.push(() => {
        open -= 1;
        response.end();
      });
      if (waiting.length === 2) for (const answer of waiting.splice(0)) answer();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => void server.close());

  const dealkeep = await startDealkeep({ worker: false });
  const api = dealkeep.as((await dealkeep.createOrganization()).key);
  const hooks = 4;
  for (let hook = 0; hook < hooks; hook += 1) {
    await api.post('/webhooks', { target_url: `http://127.0.0.1:${port}/${hook}`, event: 'lead.created' });
  }
  await api.post('/leads', { name: 'From before the bound' });
  // Two fit into 64 MiB, a third one does not.
  await dealkeep.sql`update events set envelope = envelope || repeat(' ', ${limits.inFlightBytes / 2 - 4096})`;

  const { core, databaseUrl } = dealkeep;
  const worker = await startWorker({
    core,
    databaseUrl,
    concurrency: 50,
    timing: { attemptLimitMs: 60_000 },
  });
  onTestFinished(() => worker.stop(1000));
  await eventually(() => expect(received).toBe(hooks));
  expect(mostOpen).toBe(2);
  await eventually(async () => expect(await dealkeep.sql`select from deliveries`).toHaveLength(0));
});
