import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
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
  const api = { ...variables, ROLES: 'api', DRAIN_SECONDS: '1' };
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
