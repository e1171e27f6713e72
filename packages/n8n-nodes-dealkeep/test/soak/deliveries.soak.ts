import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDealkeep } from '@dealkeep/testing';
import { expect, inject, test } from 'vitest';
import { Api } from '../real/api.ts';
import { N8nDriver, triggerNode } from '../real/n8n-driver.ts';
import { freePort } from '../real/n8n-server.ts';
import { waitFor } from '../real/wait-for.ts';

const [deliveries, perSecond] = [10_000, 50];
/** Of the resident memory, from the second fifth of the time to the last. */
const growth = 1.1;

test('10,000 deliveries at 50 per second: none is missed, and the memory of n8n stays flat', async () => {
  const n8n = new N8nDriver();
  const dealkeep = await startDealkeep();
  const { key } = await dealkeep.createOrganization();
  const api = new Api(dealkeep.baseUrl, key);
  const credential = await n8n.createCredential(api.baseUrl, key);
  const counter = await countBodies();
  const trigger = triggerNode({ events: ['company.created'], options: { catchUp: true } }, credential);
  const report = {
    name: 'Report',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    parameters: {
      ...{ method: 'POST', url: counter.url, sendBody: true },
      bodyParameters: { parameters: [{ name: 'id', value: '={{ $json.id }}' }] },
    },
  };
  const workflow = await n8n.createWorkflow([trigger, report], {
    settings: { saveDataSuccessExecution: 'none' },
  });
  await n8n.publish(workflow);

  const expected = new Set<string>();
  const memory: number[] = [];
  const started = Date.now();
  const create = async (number: number) => {
    expected.add(await api.create('/companies', { name: `Company ${number}` }));
  };
  for (let sent = 0; sent < deliveries; sent += perSecond) {
    await Promise.all(Array.from({ length: perSecond }, (_, index) => create(sent + index)));
    memory.push(await residentMegabytes());
    const next = started + ((sent + perSecond) / perSecond) * 1000;
    await sleep(Math.max(0, next - Date.now()));
  }
  const seconds = (Date.now() - started) / 1000;
  await waitFor('all deliveries', 600_000, () => counter.ids.size >= deliveries);
  await n8n.unpublish(workflow);
  counter.stop();

  const part = (from: number, to: number) =>
    median(memory.slice(Math.floor(memory.length * from), Math.floor(memory.length * to)));
  const [before, after] = [part(0.2, 0.4), part(0.8, 1)];
  console.log(
    `${deliveries} deliveries at ${Math.round(deliveries / seconds)} per second, ${counter.ids.size} runs, ` +
      `${counter.repeated()} of them repeated; memory ${Math.round(before)} MB, then ${Math.round(after)} MB`,
  );
  expect([...expected].filter((id) => !counter.ids.has(id))).toEqual([]);
  expect(counter.repeated()).toBe(0);
  expect(after).toBeLessThanOrEqual(before * growth);
});

/** Takes what the workflow reports. */
async function countBodies() {
  const ids = new Set<string>();
  let received = 0;
  const server = createServer(async (request, response) => {
    ids.add(String(JSON.parse(await text(request)).id));
    received += 1;
    response.end('{}');
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}/`,
    ids,
    repeated: () => received - ids.size,
    stop: () => server.close(),
  };
}

async function residentMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${inject('n8n').processId}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
