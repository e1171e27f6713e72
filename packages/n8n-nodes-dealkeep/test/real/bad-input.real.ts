import { createServer } from 'node:http';
import { startDealkeep } from '@dealkeep/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Api } from './api.ts';
import { N8nDriver } from './n8n-driver.ts';
import { freePort } from './n8n-server.ts';
import { startTroubledProxy, type TroubledProxy } from './troubled-proxy.ts';
import { type Credential, chosen } from './workflow-node.ts';

/** Never given to a record. */
const unknownId = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
const me = { resource: 'me', operation: 'get' };

describe('values that cannot be meant name their field, the cause and the item', () => {
  const n8n = new N8nDriver();
  let api: Api;
  let credential: Credential;

  beforeAll(async () => {
    const dealkeep = await startDealkeep({ worker: false });
    api = new Api(dealkeep.baseUrl, (await dealkeep.createOrganization()).key);
    credential = await n8n.createCredential(api.baseUrl, api.key);
  });

  const create = (resource: string, parameters: Record<string, unknown>) => ({
    resource,
    operation: 'create',
    additionalFields: {},
    ...parameters,
  });
  const cases: [string, Record<string, unknown>, RegExp][] = [
    [
      'a missing required text',
      create('company', { name: '={{ $json.missing }}' }),
      /^Name: .*gives nothing/,
    ],
    [
      'a missing optional text',
      create('lead', { additionalFields: { note: '={{ $json.missing }}' } }),
      /^Note: the expression gives nothing/,
    ],
    ['a list as a text', create('company', { name: '={{ [1, 2] }}' }), /^Name: .*a list/],
    ['an object as a text', create('company', { name: '={{ { a: 1 } }}' }), /^Name: .*an object/],
    [
      'a text as a number',
      create('lead', { additionalFields: { value: '={{ "much" }}' } }),
      /^Value: a number is wanted, but the value is "much"/,
    ],
    [
      'a text as a date',
      create('lead', { additionalFields: { expectedCloseDate: '={{ "soon" }}' } }),
      /^Expected Close Date: a date such as/,
    ],
    [
      'a number as a list of items',
      create('invoice', { specifyItems: 'json', itemsJson: '={{ 5 }}' }),
      /^Items: a list of objects is wanted, but the value is a number/,
    ],
    [
      'a text as a list of items',
      create('invoice', { specifyItems: 'json', itemsJson: '[{"name"' }),
      /^Items: this is not valid JSON/,
    ],
    [
      'a missing list of items',
      create('invoice', { specifyItems: 'json', itemsJson: '={{ $json.missing }}' }),
      /^Items: /,
    ],
    [
      'a missing record',
      { resource: 'lead', operation: 'get', leadId: chosen('={{ $json.missing }}') },
      /^Lead: nothing is chosen/,
    ],
    [
      'an empty choice',
      { resource: 'lead', operation: 'get', leadId: chosen('={{ "" }}') },
      /^Lead: nothing is chosen/,
    ],
    [
      'a number as a record',
      { resource: 'lead', operation: 'get', leadId: chosen('={{ 42 }}') },
      /^Lead: an ID is a text, but the expression gives a number/,
    ],
    [
      'an address without a record',
      { resource: 'lead', operation: 'get', leadId: chosen('https://crm.example/leads', 'url') },
      /^Lead: /,
    ],
    [
      'a limit of nothing',
      { resource: 'lead', operation: 'getAll', limit: '={{ $json.missing }}' },
      /^Limit: a whole number above 0/,
    ],
    [
      'an operation of another version',
      { resource: 'lead', operation: 'explode' },
      /^The operation "explode" of the resource "lead" does not exist/,
    ],
    [
      'nothing to look for an existing record by',
      {
        resource: 'contact',
        operation: 'upsert',
        matchBy: 'email',
        email: '={{ "" }}',
        name: 'Eva',
        companyId: chosen(unknownId),
        additionalFields: {},
      },
      /^Email: This field is required/,
    ],
  ];

  test.each(cases)('%s', async (_, parameters, message) => {
    const error = (await n8n.act(parameters, credential)).error('Dealkeep');
    expect(error?.message).toMatch(message);
    expect(error?.itemIndex).toBe(0);
    // What to do about it.
    expect(error?.description).toMatch(/^[A-Z]\w+ .+\.$/);
  });

  const judgedByTheApi: typeof cases = [
    ['an empty required text', create('company', { name: '={{ "" }}' }), /^Name: /],
    [
      'a wrong entry of a list of items',
      create('invoice', {
        specifyItems: 'json',
        itemsJson: '={{ [{ name: "A", unit_price: 1 }, { name: "B" }] }}',
      }),
      /^Items 2 → Unit Price: /,
    ],
    [
      'an empty choice of a required reference',
      create('contact', { name: 'Eva', companyId: chosen('={{ "" }}') }),
      /^Company: /,
    ],
    ['a deleted record', { resource: 'lead', operation: 'get', leadId: chosen(unknownId) }, /^Lead: \S/],
    [
      'a reference to a deleted record',
      create('contact', { name: 'Eva', companyId: chosen(unknownId) }),
      /^Company: /,
    ],
    [
      'an ID that leads elsewhere',
      { resource: 'lead', operation: 'get', leadId: chosen('../me') },
      /^Lead: \S/,
    ],
  ];

  test.each(judgedByTheApi)('%s', async (_, parameters, message) => {
    const error = (await n8n.act(parameters, credential)).error('Dealkeep');
    expect(error?.message).toMatch(message);
    expect(error?.itemIndex).toBe(0);
  });

  test('a number where a text is wanted is taken as it is written', async () => {
    const execution = await n8n.act(
      create('company', { name: '={{ 42 }}', additionalFields: { postalCode: '={{ 4001 }}' } }),
      credential,
    );
    expect(execution.output('Dealkeep')).toMatchObject([{ name: '42' }]);
  });
});

describe('a credential that cannot be right says what to mend', () => {
  const n8n = new N8nDriver();
  const page = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>'),
  );
  const redirect = createServer((request, response) =>
    response.writeHead(301, { location: `https://crm.example${request.url}` }).end(),
  );
  const origins = { page: '', redirect: '' };
  let api: Api;
  let origin: string;
  let poorKey: string;
  let secure: TroubledProxy;

  beforeAll(async () => {
    const dealkeep = await startDealkeep({ worker: false });
    const organization = await dealkeep.createOrganization();
    ({ origin } = dealkeep);
    api = new Api(dealkeep.baseUrl, organization.key);
    poorKey = (await organization.createKey({ scopes: ['leads:read'] })).token;
    secure = await startTroubledProxy(origin, { certificate: inject('certificate') });
    for (const [name, server] of [
      ['page', page],
      ['redirect', redirect],
    ] as const) {
      const port = await freePort();
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      origins[name] = `http://127.0.0.1:${port}`;
    }
  });
  afterAll(async () => {
    page.close();
    redirect.close();
    await secure.stop();
  });

  /** What the node says, message and mend, and what the credential's own test says. */
  const said = async (baseUrl: string, apiKey = api.key, parameters: Record<string, unknown> = me) => {
    const credential = await n8n.createCredential(baseUrl, apiKey);
    const error = (await n8n.act(parameters, credential)).error('Dealkeep');
    const tested = await n8n.testCredential({ baseUrl, apiKey });
    return { node: error && `${error.message} ${error.description}`, test: tested };
  };

  test('the origin alone is no mistake, nor a slash at the end', async () => {
    for (const address of [origin, `${origin}/`, `${api.baseUrl}/`]) {
      expect(await said(address)).toMatchObject({ node: undefined, test: { status: 'OK' } });
    }
  });

  test('another path below the origin', async () => {
    const { node, test: tested } = await said(`${origin}/api/v2`);
    expect(node).toMatch(/base URL.*address of your Dealkeep.*path/);
    expect(tested).toMatchObject({ status: 'Error', message: expect.stringContaining('base URL') });
  });

  test('a web page', async () => {
    const { node, test: tested } = await said(`${origins.page}/api/v1/public`);
    expect(node).toMatch(/not as the Dealkeep API.*base URL/);
    expect(tested).toMatchObject({ status: 'Error', message: expect.stringContaining('base URL') });
  });

  test('http that leads to https, which would make a reading of a creation', async () => {
    const create = { resource: 'company', operation: 'create', name: 'Never made', additionalFields: {} };
    const { node, test: tested } = await said(`${origins.redirect}/api/v1/public`, api.key, create);
    expect(node).toMatch(/leads to https:\/\/crm\.example.*base URL.*https or http/);
    expect(tested).toMatchObject({ status: 'Error', message: expect.stringContaining('base URL') });
  });

  test('https where http is spoken', async () => {
    expect((await said(api.baseUrl.replace('http:', 'https:'))).node).toMatch(/does not speak https/);
  });

  test('http where https is spoken', async () => {
    const baseUrl = `${secure.origin.replace('https:', 'http:')}/api/v1/public`;
    expect((await said(baseUrl)).node).toMatch(/does it speak https/);
  });

  test('https with a certificate of an authority that n8n trusts is right', async () => {
    expect(await said(`${secure.origin}/api/v1/public`)).toMatchObject({
      node: undefined,
      test: { status: 'OK' },
    });
  });

  test('a key of the other environment', async () => {
    const { node, test: tested } = await said(api.baseUrl, api.key.replace('dk_live_', 'dk_test_'));
    expect(node).toMatch(/dk_test_ work only in the test environment/);
    expect(tested).toMatchObject({
      status: 'Error',
      message: expect.stringContaining('another environment'),
    });
  });

  test('a key that was revoked, or never was one', async () => {
    expect((await said(api.baseUrl, 'dk_live_wrong')).node).toMatch(/Create a new key/);
  });

  test('a key without the scope, which is named', async () => {
    const companies = { resource: 'company', operation: 'getAll' };
    expect((await said(api.baseUrl, poorKey, companies)).node).toMatch(
      /companies:read.*The key lacks a scope/,
    );
  });
});
