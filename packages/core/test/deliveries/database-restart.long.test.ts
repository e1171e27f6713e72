import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createApiKey, createOrganization, createUser, updateOrganization } from '@dealkeep/core/accounts';
import { connect, migrate, newSecretsKey, systemClock } from '@dealkeep/core/foundations';
import { startEmbeddedPostgres, throwawayFolder, throwawaySettings } from '@dealkeep/embedded-postgres';
import { ApiClient, eventually, freePort, startHookReceiver } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from './running-program.ts';

test('a database that restarts under API and worker: they go on by themselves within seconds, and lose nothing', async () => {
  const dataDir = await throwawayFolder();
  const port = Number(await freePort());
  const startServer = () => startEmbeddedPostgres({ dataDir, settings: throwawaySettings, port });
  let server = await startServer();
  const { url: databaseUrl } = server;
  onTestFinished(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  await migrate(databaseUrl);
  const sql = connect(databaseUrl, { connections: 1, name: 'test' });
  onTestFinished(() => sql.end({ timeout: 1 }));
  const options = { sql, clock: systemClock, environment: 'live' as const };
  await createOrganization(options, { name: 'Test', slug: 'test' });
  // On a busy machine the load below is more than an organization may ask for in a minute.
  await updateOrganization(sql, 'test', { requestsPerMinute: 1_000_000, orgRequestsPerMinute: 1_000_000 });
  const password = randomBytes(12).toString('hex');
  await createUser(options, {
    organization: 'test',
    name: 'Jana',
    email: 'j@x.example',
    password,
    role: 'owner',
  });
  const key = await createApiKey(options, {
    organization: 'test',
    name: 'Key',
    grant: { preset: 'automation' },
  });
  const program = await startProgram({ databaseUrl, secretsKey: newSecretsKey() });
  onTestFinished(async () => {
    await program.end('SIGKILL');
  });
  const receiver = await startHookReceiver();
  const api = new ApiClient(program.baseUrl, { Authorization: `Bearer ${key.token}` });
  await api.post('/webhooks', { target_url: receiver.url, events: ['lead.created'] });

  const outcomes = new Set<string>();
  const leads: string[] = [];
  let done = false;
  const load = (async () => {
    while (!done) {
      const answer = await api.post('/leads', { name: 'Lead' });
      outcomes.add(answer.outcome);
      if (answer.status === 201) leads.push(answer.data.id);
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  for (let restart = 0; restart < 2; restart += 1) {
    await receiver.received(receiver.requests.length + 30);
    await server.stop();
    await eventually(() => expect(outcomes).toContain('503 SERVICE_UNAVAILABLE'));
    server = await startServer();
    await receiver.received(receiver.requests.length + 10);
  }
  done = true;
  await load;
  await eventually(async () => expect(await sql`select from deliveries`).toHaveLength(0));

  expect([...outcomes].sort()).toEqual(['201', '503 SERVICE_UNAVAILABLE']);
  const delivered = new Set(receiver.requests.map(({ envelope }) => envelope.data.id));
  expect(leads.filter((id) => !delivered.has(id))).toEqual([]);
  const events = await sql<{ id: string }[]>`select id from events where type = 'lead.created'`;
  expect(new Set(receiver.requests.map(({ envelope }) => envelope.id)).size).toBe(events.length);
  expect(await program.end('SIGTERM')).toBe(0);
});
