import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { WorkerPresence } from '../../src/change/queue/worker-presence.ts';
import { connect } from '../../src/foundations/database/connect.ts';
import { discardQueue, queueSummary } from '../../src/installation/installation/queue.ts';
import { subscribe } from './subscriber.ts';

const dealkeep = await startDealkeep({ worker: false });
const { sql } = dealkeep;

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

test('queue discard takes out what was on its way when the backup was made: no worker here has it', async () => {
  const { createLead, pending } = await subscribe(dealkeep, 'http://127.0.0.1:9/');
  await createLead('On its way in the original');
  // As a backup brings it: the lease of a worker that runs elsewhere.
  await sql`insert into workers (worker_id, seen_at) values (1000000, now() - interval '1 hour')`;
  await sql`update deliveries set worker_id = 1000000`;
  expect(await queueSummary(sql)).toMatchObject({ waiting: 0, in_flight: 1 });
  expect(await discardQueue(sql, inAnHour())).toMatchObject({ deliveries: 1 });
  expect(await pending()).toEqual([]);
});

test('queue discard leaves what a worker of this database is sending at this moment', async () => {
  const { createLead, pending } = await subscribe(dealkeep, 'http://127.0.0.1:9/');
  await createLead('On its way here');
  const own = connect(dealkeep.databaseUrl, { connections: 1, name: 'presence' });
  try {
    const { workerId } = await WorkerPresence.announce(own);
    await sql`update deliveries set worker_id = ${workerId}`;
    expect(await discardQueue(sql, inAnHour())).toMatchObject({ deliveries: 0 });
    expect(await pending()).toMatchObject([{ worker_id: workerId }]);
  } finally {
    await own.end();
  }
});
