import { createOAuthApp, disconnect, listConnections, rotateOAuthAppSecret } from '@dealkeep/core';
import { startDealkeep, type TestDealkeep, type TestOrganization } from '@dealkeep/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { oauthScopes } from '../../nodes/shared/generated/oauth.ts';
import { Api } from './api.ts';
import { connectAccount } from './connect-account.ts';
import { listAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { startTroubledProxy } from './troubled-proxy.ts';
import { actionNode, type Credential, triggerNode } from './workflow-node.ts';

const hour = 3600_000;

describe('a connection through OAuth in n8n', () => {
  const n8n = new N8nDriver();
  let dealkeep: TestDealkeep;
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

  test('is made on the consent page, with PKCE and all scopes of the application', async () => {
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

  test('carries catching up that goes on after the publication, and is renewed for it', async () => {
    const proxy = await startTroubledProxy(dealkeep.origin);
    onTestFinished(() => proxy.stop());
    const { credential } = await connected({ baseUrl: `${proxy.origin}/api/v1/public` });
    const trigger = triggerNode({ events: ['lead.created'], options: { catchUp: true } }, credential);
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    await n8n.unpublish(workflow);
    const id = await new Api(dealkeep.baseUrl, organization.key).create('/leads', { name: 'Missed' });
    proxy.next(['pass', 'pass', { retryAfter: 35 }]);
    await n8n.publish(workflow);
    expect(await n8n.executionIds(workflow)).toEqual([]);
    ahead += hour + 60_000;
    expect((await n8n.nextExecution(workflow)).output('Dealkeep Trigger')).toMatchObject([{ id }]);
    // By itself, with a new token in between; n8n has published nothing anew.
    expect(
      proxy
        .seen()
        .slice(2)
        .map(({ status }) => status),
    ).toEqual([undefined, 401, 200, 200]);
    await n8n.unpublish(workflow);
  });

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
