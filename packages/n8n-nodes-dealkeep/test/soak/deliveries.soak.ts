import { setTimeout as sleep } from 'node:timers/promises';
import { startDealkeep } from '@dealkeep/testing';
import { expect, inject, onTestFinished, test } from 'vitest';
import { tarballPath } from '../../scripts/tarball-path.ts';
import { Api } from '../real/api.ts';
import { N8nDriver } from '../real/n8n-driver.ts';
import { freePort, startN8n } from '../real/n8n-server.ts';
import { N8nSession } from '../real/n8n-session.ts';
import { waitFor } from '../real/wait-for.ts';
import { triggerNode } from '../real/workflow-node.ts';
import { type LiveMemory, liveMemory } from './live-memory.ts';

/** Of what n8n holds, from the first fifth of the deliveries to the last. */
const growth = 1.1;

test('10,000 deliveries at 50 per second: none is missed, and the memory of n8n stays flat', async () => {
  // As docs/n8n.md says for many deliveries.
  const { n8n, memory } = await startOwnN8n({ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' });
  const sending = await startSending(n8n, 50);
  const held: LiveMemory[] = [];
  for (let fifth = 1; fifth <= 5; fifth++) {
    await sending.send(2_000);
    held.push(await memory());
  }
  const { late } = await sending.finish();
  const shown = held.map(({ heap, resident }) => `${heap.toFixed(0)} of ${resident.toFixed(0)} MB`);
  console.log(`10,000 deliveries at 50 per second, the last ${late} s late; live heap: ${shown.join(', ')}`);
  for (const kind of ['heap', 'resident'] as const) {
    expect(held[4]?.[kind]).toBeLessThanOrEqual((held[0]?.[kind] ?? 0) * growth);
  }
});

test('of more deliveries than n8n can take with its own settings none is missed', async () => {
  const { n8n } = await startOwnN8n();
  const sending = await startSending(n8n, 50);
  const started = Date.now();
  await sending.send(2_000);
  const { late } = await sending.finish();
  const seconds = (Date.now() - started) / 1000;
  console.log(`2,000 deliveries took ${Math.round(2_000 / seconds)} per second, the last ${late} s late`);
});

async function startOwnN8n(environment: Record<string, string> = {}) {
  const inspector = await freePort();
  const { installation } = inject('n8n');
  const server = await startN8n({
    installation,
    tarball: await tarballPath(),
    environment: { ...environment, NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` },
  });
  onTestFinished(() => server.stop());
  const n8n = new N8nDriver(await N8nSession.setUp(server, installation));
  return { n8n, memory: () => liveMemory(server.processId ?? 0, inspector) };
}

/** A published workflow of the trigger alone, as what other nodes cost n8n is not ours to measure. */
async function startSending(n8n: N8nDriver, perSecond: number) {
  const dealkeep = await startDealkeep();
  onTestFinished(() => dealkeep.stop());
  const { key } = await dealkeep.createOrganization();
  const api = new Api(dealkeep.baseUrl, key);
  const credential = await n8n.createCredential(api.baseUrl, key);
  const trigger = triggerNode({ events: ['company.created'], options: { catchUp: true } }, credential);
  const workflow = await n8n.createWorkflow([trigger]);
  await n8n.publish(workflow);
  let sent = 0;

  return {
    /** Causes so many events, in as many seconds as the rate demands. */
    async send(count: number): Promise<void> {
      const started = Date.now();
      for (let batch = perSecond; batch <= count; batch += perSecond) {
        await Promise.all(
          Array.from({ length: perSecond }, (_, index) =>
            api.create('/companies', { name: `Company ${sent + index}` }),
          ),
        );
        sent += perSecond;
        await sleep(Math.max(0, started + (batch / perSecond) * 1000 - Date.now()));
      }
    },

    /** Waits for the last delivery, and compares what Dealkeep sent with what n8n ran. */
    async finish(): Promise<{ late: number }> {
      const ended = Date.now();
      await waitFor('all deliveries', 600_000, async () => {
        const [queue] = await dealkeep.sql`select count(*)::integer as waiting from deliveries`;
        return queue?.['waiting'] === 0;
      });
      const late = Math.round((Date.now() - ended) / 1000);
      const answers = await waitFor('the log of all deliveries', 10_000, async () => {
        const rows = await dealkeep.sql`
          select status, response_start, count(*)::integer as attempts, count(distinct event_id)::integer as events
          from attempts group by 1, 2`;
        return rows.reduce((sum, { events }) => sum + events, 0) >= sent && [...rows];
      });
      expect(answers).toEqual([
        { status: 200, response_start: 'Started the workflow', attempts: sent, events: sent },
      ]);
      await waitFor('all executions to end', 60_000, async () => {
        const { all, success } = await n8n.executionCounts(workflow);
        return all === sent && success === sent;
      });
      await n8n.unpublish(workflow);
      return { late };
    },
  };
}
