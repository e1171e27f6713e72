import { Agent } from 'node:http';
import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { keptLog, modern, rawSender } from './raw-messages.ts';

const { lines, log } = keptLog();
const dealkeep = await startDealkeep({ worker: false, log, clock: new ManualClock() });
const { key } = await dealkeep.createOrganization();
const send = rawSender(dealkeep.origin, key);

test('streams of announcements are ended as they begin, however many are opened', async () => {
  const listen = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const answers = await Promise.all(Array.from({ length: 200 }, () => send(listen)));
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body).toContain('notifications/subscriptions/acknowledged');
  }
});

test('a thousand calls at once are all answered, and so is the API beside them', async () => {
  const { data: lead } = await dealkeep.as(key).post('/leads', { name: 'Wanted by many' });
  const call = modern('tools/call', { name: 'get_lead', arguments: { lead: lead.id } });
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const calls = Array.from({ length: 1000 }, () => send({ ...call, agent }));
  const beside = await Promise.all(
    Array.from({ length: 50 }, () => dealkeep.as(key).get(`/leads/${lead.id}`)),
  );
  for (const { status } of beside) expect(status).toBe(200);
  for (const { status, body } of await Promise.all(calls)) {
    expect(status).toBe(200);
    expect(body).toContain('Wanted by many');
  }
  agent.destroy();
});

test('none of it is a fault of ours', () => {
  expect(lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
});
