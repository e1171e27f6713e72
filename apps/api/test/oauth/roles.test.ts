import { type Scope, scopePermissions } from '@dealkeep/contract';
import { createRole, disconnect, endIdleConnections, updateUser } from '@dealkeep/core/accounts';
import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { addUser } from '../console-edits.ts';
import { registerApp } from './connected-app.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const { core } = dealkeep;
const organization = await dealkeep.createOrganization();
const scopes = Object.keys(scopePermissions) as Scope[];
const app = await registerApp(dealkeep, { scopes });

let people = 0;

/** A person of a role with these permissions, connected with every scope. */
async function connectedUser(permissions: string) {
  people += 1;
  const { slug } = organization;
  await createRole(core, { organization: slug, name: `Role ${people}`, permissions });
  const email = `person-${people}@${slug}.example`;
  const id = await addUser({ dealkeep, organization }, 'Eva', { email, role: `Role ${people}` });
  const tokens = await app.connect(organization, { user: id });
  return { id, email, api: dealkeep.as(tokens.access_token), tokens };
}

describe('a role', () => {
  test('needs projects.view besides tasks.view for projects', async () => {
    const { api } = await connectedUser('tasks.view=all');
    expect((await api.get('/tasks')).status).toBe(200);
    const refused = await api.get('/projects');
    expect(refused.outcome).toBe('403 ROLE_PERMISSION_MISSING');
    expect(refused.error.message).toContain('projects.view');
  });

  test('is read at request time (rule scopes 7)', async () => {
    const person = await connectedUser('leads.view=all');
    expect((await person.api.get('/leads')).status).toBe(200);
    await dealkeep.sql`
      update roles set permissions = '{}' where id = (select role_id from memberships where id = ${person.id})`;
    expect((await person.api.get('/leads')).outcome).toBe('403 ROLE_PERMISSION_MISSING');
  });

  test('that cannot read an event cannot subscribe to it', async () => {
    const { api } = await connectedUser('leads.view=all');
    const target_url = 'http://127.0.0.1:4567/';
    expect((await api.post('/webhooks', { target_url, event: 'lead.won' })).status).toBe(201);
    expect((await api.post('/webhooks', { target_url, event: 'task.moved' })).outcome).toBe(
      '403 ROLE_PERMISSION_MISSING',
    );
  });
});

test('an owner is not bound to a role, but to the scopes of the connection (rule scopes 8)', async () => {
  const tokens = await app.connect(organization, { scopes: ['leads:read'] });
  const api = dealkeep.as(tokens.access_token);
  expect((await api.get('/leads')).status).toBe(200);
  expect((await api.get('/tasks')).outcome).toBe('403 FORBIDDEN');
});

test('no OAuth token reaches products (rule scopes 9)', async () => {
  const { access_token: token } = await app.connect(organization);
  expect((await dealkeep.as(token).get('/products')).outcome).toBe('403 FORBIDDEN');
});

test('an API key is not bound to the role of its owner (rule keys 6)', async () => {
  const { id } = await connectedUser('leads.view=assigned');
  await dealkeep.sql`update api_keys set user_id = ${id} where id = ${organization.keyId}`;
  expect((await dealkeep.as(organization.key).get('/leads')).status).toBe(200);
});

describe('a connection ends, with its hooks, (rules oauth 17 and 19)', () => {
  const target_url = 'http://127.0.0.1:4567/';

  async function connectionWithHook() {
    const person = await connectedUser('leads.view=all');
    const hook = await person.api.post('/webhooks', { target_url, event: 'lead.won' });
    const [connection] = await dealkeep.sql<{ id: string }[]>`
      select oauth_connection_id as id from webhooks where id = ${hook.data.id}`;
    const ended = async () => {
      expect((await person.api.get('/leads')).outcome).toBe('401 UNAUTHORIZED');
      expect(await dealkeep.sql`select 1 from webhooks where id = ${hook.data.id}`).toHaveLength(0);
      const refresh = { grant_type: 'refresh_token', refresh_token: person.tokens.refresh_token };
      expect((await app.post(refresh)).body.error).toBe('invalid_grant');
    };
    return { ...person, connection: connection?.id ?? '', ended };
  }

  test('when the person disconnects it', async () => {
    const { connection, ended } = await connectionWithHook();
    await disconnect(core, { organization: organization.id, id: connection });
    await ended();
  });

  test('when the person is deactivated', async () => {
    const { email, ended } = await connectionWithHook();
    await updateUser(core, email, { active: false });
    await ended();
  });

  test('after 180 days without use', async () => {
    const { ended } = await connectionWithHook();
    clock.advance(180 * 86_400_000 + 60_000);
    expect(await endIdleConnections(core)).toBeGreaterThan(0);
    await ended();
  });
});

test('a connection sees only its own hooks', async () => {
  const target_url = 'http://127.0.0.1:4567/';
  const first = dealkeep.as((await app.connect(organization)).access_token);
  const second = dealkeep.as((await app.connect(organization)).access_token);
  const made = await first.post('/webhooks', { target_url, event: 'lead.won' });
  expect(made.outcome).toBe('201');
  const { data: hook } = made;
  expect((await first.get(`/webhooks/${hook.id}`)).status).toBe(200);
  expect((await second.get(`/webhooks/${hook.id}`)).outcome).toBe('404 NOT_FOUND');
  expect((await second.send('DELETE', `/webhooks/${hook.id}`)).outcome).toBe('404 NOT_FOUND');
  expect((await dealkeep.as(organization.key).get(`/webhooks/${hook.id}`)).outcome).toBe('404 NOT_FOUND');
  expect((await second.get('/webhooks')).page.data).toEqual([]);
});
