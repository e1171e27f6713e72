import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from '@dealkeep/core';
import { eventually } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { ask, makeOrganization, ownDatabase, startReadyHere } from './program.ts';

interface Backend {
  port: string;
  ready: boolean;
  served: number;
}

/** A load balancer: it keeps connections, asks /readyz, and tries nothing twice. */
async function startBalancer(ports: readonly string[]): Promise<{ origin: string; backends: Backend[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const backends = ports.map((port) => ({ port, ready: true, served: 0 }));
  const look = setInterval(() => {
    for (const each of backends) {
      fetch(`http://127.0.0.1:${each.port}/readyz`).then(
        ({ ok }) => {
          each.ready = ok;
        },
        () => {
          each.ready = false;
        },
      );
    }
  }, 100);
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const ready = backends.filter((each) => each.ready);
    turn += 1;
    const backend = ready[turn % ready.length];
    if (!backend) return outgoing.writeHead(502).end();
    const { method = 'GET', url = '/', headers } = incoming;
    const onward = request({ agent, host: '127.0.0.1', port: backend.port, method, path: url, headers });
    onward.once('error', () => outgoing.writeHead(502).end());
    onward.once('response', (answer) => {
      backend.served += 1;
      outgoing.writeHead(answer.statusCode ?? 502, { 'Content-Type': 'application/json' });
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    clearInterval(look);
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, backends };
}

test('behind a load balancer that tries nothing twice, no request fails when a process is told to end', async () => {
  const variables = await ownDatabase();
  const { token } = (await makeOrganization(variables)).key;
  const api = { ...variables, ROLES: 'api', DRAIN_SECONDS: '3' };
  const [leaving, staying] = await Promise.all([startReadyHere(api), startReadyHere(api)]);
  const { origin, backends } = await startBalancer([leaving.port, staying.port]);

  const statuses: number[] = [];
  let done = false;
  const load = Promise.all(
    Array.from({ length: 8 }, async (_, at) => {
      while (!done) {
        const answer = await (at % 2
          ? ask(origin, token, '/me')
          : ask(origin, token, '/companies', { method: 'POST', body: '{"name":"Company"}' }));
        await answer.arrayBuffer();
        statuses.push(answer.status);
      }
    }),
  );
  await eventually(() => expect(backends.map(({ served }) => served > 50)).toEqual([true, true]));

  const left = leaving.end('SIGTERM');
  await leaving.says(/Stopping/);
  const ready = await fetch(`${leaving.origin}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'stopping' }]);
  const still = await ask(leaving.origin, token, '/me');
  expect([still.status, still.headers.get('connection')]).toEqual([200, 'close']);
  expect((await fetch(`${leaving.origin}/healthz`)).status).toBe(200);
  expect(await left).toMatchObject({ code: 0, stderr: '' });

  const [, other] = backends;
  const served = other?.served ?? 0;
  await eventually(() => expect(other?.served).toBeGreaterThan(served + 50));
  done = true;
  await load;
  expect(new Set(statuses)).toEqual(new Set([200, 201]));
});

test('Ctrl-C waits for no load balancer, nor does a second thought at a terminal', async () => {
  const variables = { ...(await ownDatabase()), ROLES: 'api', DRAIN_SECONDS: '3600' };
  const [interrupted, hurried] = await Promise.all([startReadyHere(variables), startReadyHere(variables)]);
  expect(await interrupted.end('SIGINT')).toMatchObject({ code: 0 });
  const over = hurried.end('SIGTERM');
  await eventually(async () => expect((await fetch(`${hurried.origin}/readyz`)).status).toBe(503));
  hurried.end('SIGINT');
  expect(await over).toMatchObject({ code: 0 });
});

// The reader would wait for longer than the process does before it cuts off who is still there.
test('SIGTERM answers who waits for events with an empty page at once, lets a request finish, and ends with 0', async () => {
  const variables = await ownDatabase();
  const { id: organization, key } = await makeOrganization(variables);
  const { origin, end } = await startReadyHere(variables);
  const made = await ask(origin, key.token, '/companies', { method: 'POST', body: '{"name":"Acme"}' });
  const company = made.headers.get('location')?.split('/').at(-1) ?? '';

  const sql = connect(variables.DATABASE_URL, { connections: 2, name: 'test' });
  onTestFinished(() => sql.end());
  const oneThat = (condition: string) =>
    eventually(async () => {
      const found = await sql.unsafe(`
        select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${condition}`);
      expect(found).not.toEqual([]);
    });
  const { promise: unlock, resolve: release } = Promise.withResolvers<void>();
  onTestFinished(() => release());
  const locked = Promise.withResolvers<void>();
  const lock = sql.begin(async (tx) => {
    await tx`select from companies where organization_id = ${organization} and id = ${company} for update`;
    locked.resolve();
    await unlock;
  });
  await locked.promise;
  const reading = ask(origin, key.token, '/events?types=lead.won&wait=20');
  await oneThat("query like '%as watched (organization)%'");
  const changing = ask(origin, key.token, `/companies/${company}`, {
    method: 'PATCH',
    body: '{"note":"In flight"}',
  });
  await oneThat("wait_event_type = 'Lock'");

  const ended = end('SIGTERM');
  const page = await reading;
  expect([page.status, await page.json()]).toEqual([
    200,
    { data: [], next_cursor: expect.any(String), has_more: false },
  ]);
  await eventually(() => expect(ask(origin, key.token, '/me')).rejects.toThrow('fetch failed'));
  release();
  await lock;
  const changed = await changing;
  expect([changed.status, await changed.json()]).toEqual([
    200,
    { data: expect.objectContaining({ note: 'In flight' }) },
  ]);
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});
