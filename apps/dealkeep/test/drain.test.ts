import { connect } from '@dealkeep/core/foundations';
import { eventually } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { ask, makeOrganization, ownDatabase, startReadyHere } from './program.ts';

test('Ctrl-C waits for no load balancer, nor does a second thought at a terminal (rule operator 20)', async () => {
  const variables = { ...(await ownDatabase()), ROLES: 'api', DRAIN_SECONDS: '3600' };
  const [interrupted, hurried] = await Promise.all([startReadyHere(variables), startReadyHere(variables)]);
  expect(await interrupted.end('SIGINT')).toMatchObject({ code: 0 });
  const over = hurried.end('SIGTERM');
  await eventually(async () => expect((await fetch(`${hurried.origin}/readyz`)).status).toBe(503));
  const still = await fetch(`${hurried.origin}/healthz`);
  expect([still.status, still.headers.get('connection')], 'what still comes is answered').toEqual([
    200,
    'close',
  ]);
  hurried.end('SIGINT');
  expect(await over).toMatchObject({ code: 0 });
});

// The reader would wait for longer than the process does before it cuts off who is still there.
test('SIGTERM answers who waits for events with an empty page at once, lets a request finish, and ends with 0 (rule operator 20)', async () => {
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
