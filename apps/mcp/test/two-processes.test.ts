import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secrets } from '@dealkeep/core/foundations';
import { startDealkeep } from '@dealkeep/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { connectAssistant, textOf } from './assistant.ts';

// As two processes are: each has a core, connections and a server of its own, and the database and its secret in
// common.
const secrets = new Secrets([randomBytes(32)]);
const one = await startDealkeep({ worker: false, secrets });
const two = await startDealkeep({ worker: false, secrets, databaseUrl: one.databaseUrl });
const served = [0, 0];

/** Sends each request to the other one than the request before. */
const proxy = createServer((incoming, outgoing) => {
  const turn = served[0] === served[1] ? 0 : 1;
  served[turn] = (served[turn] ?? 0) + 1;
  const { hostname, port } = new URL([one, two][turn]?.origin ?? '');
  const { method, url: path, headers } = incoming;
  const onward = request({ host: hostname, port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});
const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

describe.each(['modern', 'legacy'] as const)('a conversation of the %s revision', (revision) => {
  test('goes on whichever process is asked next (rule assistants 1)', async () => {
    const { key } = await one.createOrganization();
    const assistant = await connectAssistant(origin, key, { revision });
    const { tools } = await assistant.listTools();
    expect(tools.length).toBeGreaterThan(10);
    const make = () => assistant.callTool({ name: 'create_lead', arguments: { name: 'Ten bikes' } });
    const made = await make();
    expect(made.structuredContent).toMatchObject({ name: 'Ten bikes' });
    // The same call again comes to the other process, and makes nothing new there either.
    await make();
    const { data } = (await two.as(key).get('/leads')).page;
    expect(data).toHaveLength(1);

    const before = [...served];
    const first = await assistant.callTool({ name: 'archive_lead', arguments: { lead: data[0]?.id } });
    const { confirmation } = Object(first.structuredContent);
    expect(confirmation).toEqual(expect.any(String));
    const second = await assistant.callTool({
      name: 'archive_lead',
      arguments: { lead: data[0]?.id, confirm: true, confirmation },
    });
    expect(textOf(second)).not.toContain('Nothing was done');
    expect(second.structuredContent).toMatchObject({ done: true });
    expect(served).toEqual(before.map((count) => count + 1));
  });
});

test('a person’s answer is understood by the process that did not ask', async () => {
  const { key } = await one.createOrganization();
  const { data: lead } = await one.as(key).post('/leads', { name: 'Ten bikes' });
  const asked: string[] = [];
  const assistant = await connectAssistant(origin, key, {
    async onAsked(question) {
      asked.push(question);
      return { action: 'accept', content: {} };
    },
  });
  const before = [...served];
  const done = await assistant.callTool({ name: 'archive_lead', arguments: { lead: lead.id } });
  expect(asked).toHaveLength(1);
  expect(done.structuredContent).toMatchObject({ done: true });
  expect(served).toEqual(before.map((count) => count + 1));
});
