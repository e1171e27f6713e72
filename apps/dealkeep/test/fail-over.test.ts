import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ask, result, startReady } from './program.ts';
import { startTwoServers } from './two-servers.ts';

/** Takes webhooks; answers the ids of what they tell of. */
async function startReceiver(): Promise<{ url: string; ids: string[] }> {
  const ids: string[] = [];
  const server = createServer(async (request, response) => {
    ids.push(JSON.parse(await text(request)).data.id);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, ids };
}

test('a standby that takes over is found by a running API and worker, and answers nothing before (13.46)', async () => {
  const servers = await startTwoServers();
  const variables = {
    DATABASE_URL: servers.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
  };
  await result(['organizations', 'create', '--name', 'Own', '--slug', 'own'], variables);
  await result(
    ['users', 'create', '--organization', 'own', '--name', 'Jana', '--email', 'jana@own.example'].concat([
      ...['--role', 'owner', '--password', 'correct horse battery staple'],
    ]),
    variables,
  );
  const key = ['--organization', 'own', '--name', 'Key', '--preset', 'automation'];
  const { token } = await result<{ token: string }>(['keys', 'create', ...key], variables);
  const { origin, end } = await startReady(variables);
  const receiver = await startReceiver();
  const post = (path: string, body: object) =>
    ask(origin, token, path, { method: 'POST', body: JSON.stringify(body) });
  const hook = await post('/webhooks', { target_url: receiver.url, events: ['lead.created'] });
  expect(hook.status).toBe(201);
  const createLead = async (name: string): Promise<{ status: number; id?: string }> => {
    const answer = await post('/leads', { name });
    const body: { data?: { id: string } } = JSON.parse(await answer.text());
    return { status: answer.status, ...(body.data ? { id: body.data.id } : {}) };
  };
  const before = await createLead('Before');
  expect(before.status).toBe(201);
  await vi.waitFor(() => expect(receiver.ids).toContain(before.id), 10_000);
  const leads = () => servers.standby`select name from leads order by name`;
  await vi.waitFor(async () => expect(await leads()).toEqual([{ name: 'Before' }]), 10_000);

  // Nothing of the program is on the standby, though it is named first, and takes readers.
  const ours = () => servers.standby`
    select application_name from pg_stat_activity where application_name like 'dealkeep%' and state is not null`;
  await vi.waitFor(async () => expect(await ours()).toEqual([]), 10_000);

  await servers.killPrimary();
  const gap = await Promise.all([
    createLead('In the gap'),
    ask(origin, token, '/leads'),
    ask(origin, token, `/leads/${before.id}`),
    fetch(`${origin}/readyz`),
  ]);
  expect(gap.map(({ status }) => status)).toEqual([503, 503, 503, 503]);

  await servers.promote();
  const after = await vi.waitFor(async () => {
    const made = await createLead('After');
    expect(made.status).toBe(201);
    return made;
  }, 10_000);
  expect((await ask(origin, token, `/leads/${before.id}`)).status).toBe(200);
  expect(await leads()).toEqual([{ name: 'After' }, { name: 'Before' }]);
  await vi.waitFor(() => expect(receiver.ids).toContain(after.id), 10_000);
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);

  // Tasks by the clock, too, which have a queue and connections of their own.
  await servers.standby`select graphile_worker.add_job('remove_old_each_minute')`;
  const jobs = () => servers.standby`
    select from graphile_worker.jobs where task_identifier = 'remove_old_each_minute' and key is null`;
  await vi.waitFor(async () => expect(await jobs()).toEqual([]), 15_000);
  expect((await end('SIGTERM')).code).toBe(0);
}, 60_000);
