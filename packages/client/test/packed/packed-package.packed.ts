import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiKey, listApiKeys } from '@dealkeep/core/accounts';
import { startDealkeep, type TestOrganization } from '@dealkeep/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { type CustomerFolder, customerFolder } from './customer-folder.ts';

let customer: CustomerFolder;
let baseUrl: string;
let organization: TestOrganization;
let keys: () => Promise<ApiKey[]>;

beforeAll(async () => {
  const running = await startDealkeep({ worker: false });
  baseUrl = running.baseUrl;
  organization = await running.createOrganization();
  keys = () => listApiKeys(running.sql, organization.slug);
  customer = await customerFolder();
});
afterAll(() => customer?.remove());

test('the tarball holds what is needed and nothing else', () => {
  const others = customer.files.filter((file) => !/^lib\/(transport\/)?[a-z-]+(\.js|\.d\.ts)$/.test(file));

  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
});

test('nothing of the contract, of zod or of Node is imported', async () => {
  const modules = new Set<string>();
  for (const file of customer.files.filter((each) => each.startsWith('lib/'))) {
    const text = await readFile(join(customer.folder, 'node_modules/@dealkeep/client', file), 'utf8');
    for (const [, name = ''] of text.matchAll(/\b(?:from|import)\s*\(?['"]([^'"]+)['"]/g)) modules.add(name);
  }

  expect([...modules].filter((name) => !name.startsWith('./')).sort()).toEqual([
    '@noble/curves/ed25519.js',
    'standardwebhooks',
  ]);
  expect([...modules].filter((name) => name.endsWith('.ts'))).toEqual([]);
});

test('plain JavaScript runs', async () => {
  const script = `
    import { createClient, DealkeepError } from '@dealkeep/client';
    const dealkeep = createClient(${JSON.stringify({ baseUrl, apiKey: organization.key })});
    const { id } = await dealkeep.leads.create({ name: 'From outside' });
    const found = [];
    for await (const lead of dealkeep.leads.list({ q: 'from OUTSIDE', limit: 1 })) found.push(lead.id === id);
    const refused = await dealkeep.leads.get('none').catch((error) => error instanceof DealkeepError && error.code);
    console.log(JSON.stringify({ found, refused }));
  `;
  await writeFile(join(customer.folder, 'plain.mjs'), script);

  expect(JSON.parse(await customer.node('plain.mjs'))).toEqual({ found: [true], refused: 'NOT_FOUND' });
  // It says its name, with the version of the package.
  await expect
    .poll(keys)
    .toMatchObject([{ last_used_by: `dealkeep-client/${manifest.version}`, platforms: [] }]);
});

test('the types are complete with those of the Web or of Node, and refuse what the API refuses', async () => {
  const wrong = `
    import { createClient, type Lead, type LeadCreate, verifyWebhook } from '@dealkeep/client';
    const dealkeep = createClient({ baseUrl: '', apiKey: '' });
    const lead: Promise<Lead> = dealkeep.leads.create({ name: 'x', value: null } satisfies LeadCreate);
    // @ts-expect-error a field that there is not
    dealkeep.leads.create({ title: 'x' });
    // @ts-expect-error a company needs a name
    dealkeep.companies.create();
    // @ts-expect-error a filter that there is not
    dealkeep.leads.list({ colour: 'red' });
    // @ts-expect-error a value that there is not
    dealkeep.leads.list({ status: 'closed' });
    // @ts-expect-error a GET takes no Idempotency-Key
    dealkeep.leads.get('x', { idempotencyKey: 'y' });
    // @ts-expect-error a move needs a stage
    dealkeep.leads.move('x', {});
    // @ts-expect-error an operation that there is not
    dealkeep.leads.delete('x');
    // @ts-expect-error a list is no record
    dealkeep.leads.list().then(({ name }) => name);
    const envelope = verifyWebhook('', {}, '');
    // @ts-expect-error the data is known when the type is
    envelope.data.is_primary;
    if (envelope.type === 'contact.created') envelope.data.is_primary satisfies boolean;
    export { lead };
  `;
  await writeFile(join(customer.folder, 'wrong.ts'), wrong);

  expect(await customer.typeErrors(['wrong.ts'])).toBe('');
  expect(await customer.typeErrors(['wrong.ts'], { module: 'esnext', moduleResolution: 'bundler' })).toBe('');
  const typeRoots = [join(import.meta.dirname, '../../../../node_modules/@types')];
  const nodeAlone = { lib: ['es2022'], types: ['node'], typeRoots, skipLibCheck: true };
  expect(await customer.typeErrors(['wrong.ts'], nodeAlone)).toBe('');
});

describe('the examples of the README', () => {
  test('compile and run', async () => {
    const readme = await readFile(join(customer.folder, 'node_modules/@dealkeep/client/README.md'), 'utf8');
    const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) =>
      code
        .replaceAll('https://dealkeep.example/api/v1/public', baseUrl)
        .replaceAll('dk_live_…', organization.key)
        // An address that every machine can look up.
        .replaceAll('https://hooks.example.com/dealkeep', 'http://127.0.0.1:9/dealkeep'),
    );
    const files = examples.map((_, index) => `example-${index}.ts`);
    for (const [index, code] of examples.entries()) {
      await writeFile(join(customer.folder, `example-${index}.ts`), code);
    }

    expect(examples).toHaveLength(9);
    expect(await customer.typeErrors(files)).toBe('');
    const printed: string[] = [];
    for (const file of files) printed.push(await customer.node(file));

    expect(printed).toEqual([
      'Connected to Test organization\n',
      expect.stringMatching(/^\d{4}-0001 1107\n[0-9a-f-]{36} 450\n$/),
      expect.stringMatching(/^Fleet of 20 city bikes .* 18500\n(.*\n)*1 companies\n0 false null\n$/),
      expect.stringMatching(/^36123456 20[01] [0-9a-f-]{36}\n36123457 422 .*email.*\n$/),
      expect.stringMatching(/^email: .+\n$/),
      expect.stringMatching(/^[0-9a-f-]{36}\n$/),
      expect.stringMatching(/^[0-9a-f-]{36} whsec_.+lead\.won/s),
      '',
      '',
    ]);
  });
});
