import {
  createOAuthApp,
  createRole,
  disconnect,
  listConnections,
  rotateOAuthAppSecret,
} from '@dealkeep/core/accounts';
import { type StoppableDealkeep, startDealkeep, type TestOrganization } from '@dealkeep/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { oauthScopes } from '../../nodes/shared/generated/oauth.ts';
import { Api } from './api.ts';
import { connectAccount } from './connect-account.ts';
import { listAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { startTroubledProxy } from './troubled-proxy.ts';
import { waitFor } from './wait-for.ts';
import { actionNode, type Credential, pollNode, triggerNode } from './workflow-node.ts';

const hour = 3600_000;

describe('a connection through OAuth in n8n', () => {
  const n8n = new N8nDriver();
  let dealkeep: StoppableDealkeep;
  let organization: TestOrganization;
  let application: { client_id: string; client_secret: string };
  /** How far the clock of Dealkeep is ahead. */
  let ahead = 0;

  beforeAll(async () => {
    dealkeep = await startDealkeep({ clock: { now: () => new Date(Date.now() + ahead) } });
    organization = await dealkeep.createOrganization();
    application = await createOAuthApp(dealkeep.core, {
      name: 'n8n of the office',
      redirectUris: [n8n.oauthCallback],
      scopes: oauthScopes,
    });
  });
  afterAll(() => dealkeep.stop());

  const connected = async (more: Record<string, unknown> = {}) => {
    const credential = await n8n.createOAuthCredential(dealkeep.baseUrl, application, more);
    return { credential, ...(await connectAccount(n8n, credential, { dealkeep, organization })) };
  };
  const me = async (credential: Credential) => {
    const execution = await n8n.act({ resource: 'me', operation: 'get' }, credential);
    return { record: execution.output('Dealkeep')[0], error: execution.error('Dealkeep') };
  };

  test('is made on the consent page, with PKCE and all scopes of the application (rule n8n 1)', async () => {
    const { credential, question, consent } = await connected();
    expect(Object.fromEntries(question.searchParams)).toMatchObject({
      client_id: application.client_id,
      code_challenge_method: 'S256',
      scope: '',
    });
    expect(consent).toContain('n8n of the office');
    const { record } = await me(credential);
    expect(record).toMatchObject({ auth: 'oauth', user: { email: organization.ownerEmail } });
    expect([...listAt(record, 'token', 'scopes')].sort()).toEqual([...oauthScopes].sort());
    expect(await n8n.testSavedCredential(credential)).toMatchObject({ status: 'OK' });
  });

  test('asks for the enabled scopes only, when there are any', async () => {
    const { credential } = await connected({ customScopes: true, enabledScopes: 'leads:read' });
    expect(await me(credential)).toMatchObject({ record: { token: { scopes: ['leads:read'] } } });
    const refused = await n8n.act({ resource: 'company', operation: 'getAll' }, credential);
    expect(refused.error('Dealkeep')).toMatchObject({
      message: expect.stringContaining('companies:read'),
      description: expect.stringContaining('Connect the account again'),
    });
  });

  test('is made, renewed and used with the origin alone as its base URL', async () => {
    const { credential } = await connected({ baseUrl: `${dealkeep.origin}/` });
    expect((await me(credential)).record).toMatchObject({ auth: 'oauth' });
    ahead += 2 * hour;
    expect((await me(credential)).record).toMatchObject({ auth: 'oauth' });
    expect(await n8n.testSavedCredential(credential)).toMatchObject({ status: 'OK' });
  });

  test('sends the client secret: with another one nobody is connected', async () => {
    const wrong = { ...application, client_secret: `${application.client_secret}x` };
    const credential = await n8n.createOAuthCredential(dealkeep.baseUrl, wrong);
    const before = await connections();
    await connectAccount(n8n, credential, { dealkeep, organization });
    expect(await connections()).toHaveLength(before.length);
    expect((await me(credential)).error).toMatchObject({
      message: 'The connection to Dealkeep has ended, or was not made yet',
    });
  });

  test('is renewed after an hour, and again after the next one with the new refresh token', async () => {
    const { credential } = await connected();
    const create = { resource: 'company', operation: 'create', additionalFields: {} };
    for (const name of ['First hour', 'Second hour', 'Third hour']) {
      const made = await n8n.act({ ...create, name }, credential);
      expect(made.error('Dealkeep')).toBeUndefined();
      expect(made.output('Dealkeep')).toMatchObject([{ name }]);
      ahead += hour + 60_000;
    }
    const { results } = await n8n.searchList({ method: 'searchCompany', credential, filter: 'hour' });
    expect(results).toHaveLength(3);
  });

  test('is renewed although the first answer to that is a failure of the server', async () => {
    const proxy = await startTroubledProxy(dealkeep.origin);
    onTestFinished(() => proxy.stop());
    const { credential } = await connected({ baseUrl: `${proxy.origin}/api/v1/public` });
    ahead += hour + 60_000;
    proxy.next(['pass', 'answer 503']);
    expect((await me(credential)).record).toMatchObject({ auth: 'oauth' });
    // In vain, no new token; in vain again, the new token, the answer.
    expect(proxy.seen().map(({ status }) => status)).toEqual([401, undefined, 401, 200, 200]);
  });

  test('carries the trigger: published, started, unpublished', async () => {
    const { credential } = await connected();
    ahead += hour + 60_000;
    const workflow = await n8n.createWorkflow([
      triggerNode({ events: ['company.created'], options: { verifySignature: false } }, credential),
      actionNode({ resource: 'me', operation: 'get' }, credential),
    ]);
    await n8n.publish(workflow);
    const [connection] = await connections();
    expect(connection?.hooks).toBe(1);
    const api = new Api(dealkeep.baseUrl, organization.key);
    const id = await api.create('/companies', { name: 'By a key' });
    const execution = await n8n.nextExecution(workflow);
    expect(execution.output('Dealkeep Trigger')).toMatchObject([{ id, name: 'By a key' }]);
    expect(execution.output('Dealkeep')).toMatchObject([{ auth: 'oauth' }]);
    await n8n.unpublish(workflow);
  });

  test('carries catching up, and is renewed for it', async () => {
    const { credential } = await connected();
    const options = { catchUp: true, verifySignature: false };
    const trigger = triggerNode({ events: ['lead.created'], options }, credential);
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    await n8n.unpublish(workflow);
    const api = new Api(dealkeep.baseUrl, organization.key);
    const id = await api.create('/leads', { name: 'Missed' });
    ahead += hour + 60_000;
    await n8n.publish(workflow);
    ahead += hour + 60_000;
    const next = await api.create('/leads', { name: 'Next' });
    expect((await n8n.nextExecution(workflow)).output('Dealkeep Trigger')).toMatchObject([
      { id },
      { id: next },
    ]);
    await n8n.unpublish(workflow);
  });

  test('whose role loses a permission in the middle names the event, and loses nothing when it is back (rule n8n 22)', async () => {
    const { credential } = await connected();
    const { core, sql } = dealkeep;
    const { id: organizationId, slug, ownerEmail } = organization;
    const both = 'leads.view=all,companies.view=all';
    await createRole(core, { organization: slug, name: 'Sales', permissions: both });
    const [role] = await sql<{ id: string; permissions: string }[]>`
      select id, permissions from roles where organization_id = ${organizationId} and name = 'Sales'`;
    await sql`
      update memberships set role_id = ${role?.id ?? ''}
      where organization_id = ${organizationId}
        and person_id = (select id from users where email = ${ownerEmail})`;
    const events = ['lead.created', 'company.created'];
    const workflow = await n8n.createWorkflow([pollNode({ events }, credential)]);
    await n8n.publish(workflow);
    const setPermissions = (permissions: object) =>
      sql`update roles set permissions = ${sql.json(Object(permissions))} where id = ${role?.id ?? ''}`;
    await setPermissions({ 'leads.view': 'all' });
    const api = new Api(dealkeep.baseUrl, organization.key);
    const company = await api.create('/companies', { name: 'While the role lacks it' });
    await waitFor('the next poll', 90_000, async () => (await n8n.executionIds(workflow)).length > 0);
    const refused = await n8n.nextExecution(workflow);
    expect(refused.error('Dealkeep Poll Trigger')).toMatchObject({
      message: expect.stringMatching(/^Events → Company Created: .*companies\.view/),
      description: expect.stringContaining('Ask an owner of the organization'),
    });
    const again = await n8n.createWorkflow([triggerNode({ events }, credential)]);
    await expect(n8n.publish(again)).rejects.toThrow(/companies\.view/);
    await setPermissions(Object(role?.permissions));
    await waitFor('the event', 90_000, async () => {
      const brought = (await n8n.executions(workflow)).flatMap((each) =>
        each.output('Dealkeep Poll Trigger'),
      );
      return brought.some(({ id }) => id === company);
    });
    await n8n.unpublish(workflow);
    await sql`
      update memberships set role_id = null
      where organization_id = ${organizationId}
        and person_id = (select id from users where email = ${ownerEmail})`;
  }, 240_000);

  test('that was ended in Dealkeep asks to connect again', async () => {
    const { credential } = await connected();
    const [connection] = await connections();
    await disconnect(dealkeep.core, { organization: organization.id, id: connection?.id ?? '' });
    expect(await n8n.testSavedCredential(credential)).toMatchObject({ status: 'Error' });
    expect((await me(credential)).error).toMatchObject({
      message: 'The connection to Dealkeep has ended, or was not made yet',
      description: 'Open the credential and connect the account again.',
      itemIndex: 0,
    });
  });

  test('whose application has a new secret asks for it', async () => {
    const { credential } = await connected();
    const { client_secret } = await rotateOAuthAppSecret(dealkeep.sql, application.client_id);
    application = { ...application, client_secret };
    ahead += hour + 60_000;
    expect((await me(credential)).error?.message).toMatch(/client ID or the client secret/);
  });

  const connections = () => listConnections(dealkeep.sql, { organization: organization.id });
});
