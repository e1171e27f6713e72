import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDealkeep } from '@dealkeep/testing';
import { expect, inject, test } from 'vitest';
import { Api } from '../real/api.ts';
import { N8nDriver, triggerNode } from '../real/n8n-driver.ts';
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
  const trigger = triggerNode({ events: ['company.created'], options: { catchUp: true } }, credential);
  // The trigger alone: what other nodes cost n8n is not ours to measure. Executions that fail are kept.
  const workflow = await n8n.createWorkflow([trigger], { settings: { saveDataSuccessExecution: 'none' } });
  await n8n.publish(workflow);

  const memory: number[] = [];
  const started = Date.now();
  for (let sent = 0; sent < deliveries; sent += perSecond) {
    await Promise.all(
      Array.from({ length: perSecond }, (_, index) =>
        api.create('/companies', { name: `Company ${sent + index}` }),
      ),
    );
    memory.push(await residentMegabytes());
    const next = started + ((sent + perSecond) / perSecond) * 1000;
    await sleep(Math.max(0, next - Date.now()));
  }
  const seconds = (Date.now() - started) / 1000;
  await waitFor('all deliveries', 600_000, async () => {
    const [queue] = await dealkeep.sql`select count(*)::integer as waiting from deliveries`;
    return queue?.['waiting'] === 0;
  });
  const waited = (Date.now() - started) / 1000 - seconds;
  const answers = await waitFor('the log of all deliveries', 10_000, async () => {
    const rows = await dealkeep.sql`
      select status, response_start, count(*)::integer as attempts, count(distinct event_id)::integer as events
      from attempts group by 1, 2`;
    return rows.reduce((sum, { events }) => sum + events, 0) >= deliveries && [...rows];
  });
  // An execution that succeeds is removed after its end; one that fails stays.
  await waitFor(
    'no execution to be left, as a failed one would be',
    30_000,
    async () => (await n8n.executionIds(workflow)).length === 0,
  );
  await n8n.unpublish(workflow);

  const part = (from: number, to: number) =>
    median(memory.slice(Math.floor(memory.length * from), Math.floor(memory.length * to)));
  const [before, after] = [part(0.2, 0.4), part(0.8, 1)];
  console.log(
    `${deliveries} deliveries at ${Math.round(deliveries / seconds)} per second, the last ${Math.round(waited)} s later; ` +
      `memory ${Math.round(before)} MB, then ${Math.round(after)} MB`,
  );
  // n8n answers this when it has started an execution; the trigger answers another for one that came before.
  expect(answers).toEqual([
    {
      status: 200,
      response_start: 'firstEntryJson',
      attempts: deliveries,
      events: deliveries,
    },
  ]);
  expect(after).toBeLessThanOrEqual(before * growth);
});

async function residentMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${inject('n8n').processId}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
