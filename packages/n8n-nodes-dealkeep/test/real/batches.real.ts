import { updateOrganization } from '@dealkeep/core/accounts';
import { startDealkeep, type TestDealkeep, type TestOrganization } from '@dealkeep/testing';
import { beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { Api } from './api.ts';
import { at } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { startTroubledProxy, type Trouble } from './troubled-proxy.ts';
import { chosen } from './workflow-node.ts';

const create = {
  resource: 'company',
  operation: 'create',
  name: '={{ $json.name }}',
  additionalFields: { email: '={{ $json.email }}', countryCode: '={{ $json.country }}' },
};
const right = (index: number): Record<string, unknown> => ({
  name: `Company ${String(index).padStart(4, '0')}`,
  email: `info${index}@dealkeep.example`,
  country: 'SK',
});
const rightItems = (count: number) => Array.from({ length: count }, (_, index) => right(index));
const continues = { onError: 'continueRegularOutput' };

/** Ways in which an item can be wrong, and how its message begins. */
const wrongs: readonly [Record<string, unknown>, string][] = [
  [{ email: 'not an e-mail' }, 'Email: '],
  [{ email: 'two@at@signs.example' }, 'Email: '],
  [{ email: ['a', 'b'] }, 'Email: a text is wanted, but the value is a list'],
  [{ country: 'XX' }, 'Country: '],
  [{ country: 'Slovakia' }, 'Country: '],
  [{ country: { code: 'SK' } }, 'Country: a text is wanted, but the value is an object'],
  [{ name: '' }, 'Name: '],
  [{ name: 'X'.repeat(300) }, 'Name: '],
  [{ name: undefined }, 'Name: the expression gives nothing'],
  [{ name: [1, 2] }, 'Name: a text is wanted, but the value is a list'],
];

/** The text of a record that says least of what it is. */
const noteOf = {
  contact: 'note',
  client: 'note',
  lead: 'note',
  activity: 'note',
  task: 'description',
} as const;

/** Of the columns of all kinds those of one. */
const columnsOf = (
  resource: keyof typeof noteOf,
  { name, title, email, company_id, start_at, note }: Record<string, string>,
) =>
  ({
    contact: { name, email, company_id },
    client: { company_id, note },
    lead: { name, note },
    activity: { name, start_at },
    task: { title },
  })[resource];

describe.concurrent('more than ten items in n8n (rule n8n 9)', () => {
  const n8n = new N8nDriver();
  let dealkeep: TestDealkeep;

  beforeAll(async () => {
    dealkeep = await startDealkeep({ worker: false });
  });

  /** An organization of its own at the default limits, and a way to it with some troubles. */
  const way = async (
    { onTestFinished }: TestContext,
    troubles: readonly Trouble[] = [],
    requestsPerMinute = 120,
  ) => {
    const organization = await dealkeep.createOrganization();
    await updateOrganization(dealkeep.sql, organization.slug, {
      requestsPerMinute,
      orgRequestsPerMinute: 600,
    });
    const proxy = await startTroubledProxy(dealkeep.origin);
    onTestFinished(() => proxy.stop());
    proxy.next(troubles);
    const credential = await n8n.createCredential(proxy.origin, organization.key);
    return { organization, credential, seen: proxy.seen };
  };
  /** By the time of their creation; not through the API, which counts what asks it. */
  const companiesOf = async ({ id }: TestOrganization): Promise<unknown[]> => {
    const rows = await dealkeep.sql`
      select name from companies where organization_id = ${id} order by created_at, id`;
    return rows.map(({ name }) => name);
  };

  test('1,000 at the default limits are ten requests, none of them refused or held back', async (context) => {
    const { organization, credential, seen } = await way(context);
    const items = rightItems(1000);
    const name = 'A thousand';
    const execution = await n8n.act(create, credential, { items, settings: { name } });
    expect(execution.error(name)).toBeUndefined();
    expect(execution.output(name).map((each) => each['name'])).toEqual(items.map((each) => each['name']));
    expect(execution.items(name).map((item) => at(item, 'pairedItem', 'item'))).toEqual(
      items.map((_, index) => index),
    );
    expect(seen().map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(await n8n.log()).not.toContain(`${name} has done`);
    expect(await companiesOf(organization)).toEqual(items.map((each) => each['name']));
  });

  test('1,000 of which 100 fail for different reasons: each message names field and item', async (context) => {
    const { organization, credential, seen } = await way(context);
    const items = rightItems(1000).map((item, index) =>
      index % 10 === 3 ? { ...item, ...wrongs[Math.floor(index / 10) % wrongs.length]?.[0] } : item,
    );
    const execution = await n8n.act(create, credential, { items, settings: continues });
    const output = execution.output('Dealkeep');
    expect(output).toHaveLength(1000);
    for (const [index, each] of output.entries()) {
      const begins = index % 10 === 3 ? wrongs[Math.floor(index / 10) % wrongs.length]?.[1] : undefined;
      if (begins === undefined) expect(each).toMatchObject({ name: items[index]?.['name'] });
      else {
        expect(Object.keys(each)).toEqual(['error']);
        expect(String(each['error']).startsWith(begins), `${each['error']} begins with ${begins}`).toBe(true);
        expect(each['error']).toMatch(new RegExp(`\\S \\[item ${index}\\]$`));
      }
    }
    expect(execution.items('Dealkeep').map((item) => at(item, 'pairedItem', 'item'))).toEqual(
      items.map((_, index) => index),
    );
    expect(seen()).toHaveLength(10);
    expect(await companiesOf(organization)).toHaveLength(900);
  });

  test('of which one is refused stop the workflow there, and say what became of the others', async (context) => {
    const { organization, credential } = await way(context);
    const items = rightItems(250);
    for (const index of [105, 140, 141]) items[index] = { ...right(index), email: 'nope' };
    const execution = await n8n.act(create, credential, { items });
    expect(execution.status).toBe('error');
    const error = execution.error('Dealkeep');
    expect(error).toMatchObject({ message: expect.stringMatching(/^Email: /), itemIndex: 105 });
    expect(error?.description).toContain(
      'The other items up to 199 are done except 140 and 141, which failed too, those from 200 on were not sent.',
    );
    expect(await companiesOf(organization)).toHaveLength(197);
  });

  test('of which one cannot be meant stop the workflow before anything is sent', async (context) => {
    const { credential, seen } = await way(context);
    const items = rightItems(150);
    items[120] = { ...right(120), name: undefined };
    const error = (await n8n.act(create, credential, { items })).error('Dealkeep');
    expect(error).toMatchObject({ message: expect.stringMatching(/^Name: /), itemIndex: 120 });
    expect(error?.description).toContain('Nothing was sent');
    expect(seen()).toEqual([]);
  });

  test('are sent one by one when "Send in Batches" is off, and so are ten', async (context) => {
    const { credential, seen } = await way(context);
    const off = { ...create, options: { sendInBatches: false } };
    await n8n.act(off, credential, { items: rightItems(11) });
    expect(seen()).toHaveLength(11);
    await n8n.act(create, credential, { items: rightItems(10) });
    expect(seen()).toHaveLength(21);
    await n8n.act(create, credential, { items: rightItems(11) });
    expect(seen()).toHaveLength(22);
  });

  test('go in more parts where they are long', async (context) => {
    const { organization, credential, seen } = await way(context);
    const items = rightItems(100).map((item) => ({ ...item, note: 'é'.repeat(10_000) }));
    const long = { ...create, additionalFields: { note: '={{ $json.note }}' } };
    const execution = await n8n.act(long, credential, { items });
    expect(execution.output('Dealkeep')).toHaveLength(100);
    expect(seen().map(({ status }) => status)).toEqual([200, 200]);
    expect(await companiesOf(organization)).toHaveLength(100);
  });

  test('go in smaller parts where a batch would be more than a minute lets pass', async (context) => {
    const { organization, credential, seen } = await way(context, [], 5);
    const execution = await n8n.act(create, credential, {
      items: rightItems(60),
      patience: 110_000,
    });
    expect(execution.output('Dealkeep')).toHaveLength(60);
    expect(seen().map(({ status }) => status)).toEqual([422, 200, 200]);
    expect(await companiesOf(organization)).toHaveLength(60);
  });

  test('whose answer is lost are asked for again by the same key, one for each part, and made once', async (context) => {
    const { organization, credential, seen } = await way(context, [
      'lose the answer',
      'answer 503',
      'pass',
      'lose the answer',
    ]);
    const execution = await n8n.act(create, credential, { items: rightItems(150) });
    expect(execution.status).toBe('success');
    const keys = seen().map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(new Set(keys.slice(3)).size).toBe(1);
    expect(new Set(keys).size).toBe(2);
    expect(await companiesOf(organization)).toHaveLength(150);
  });

  test('are made once by Retry On Fail, whatever was done before it failed', async (context) => {
    const lost = Array.from({ length: 6 }, () => 'lose the answer' as const);
    const { organization, credential, seen } = await way(context, ['pass', ...lost, 'pass']);
    const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };
    const execution = await n8n.act(create, credential, { items: rightItems(150), settings });
    expect(execution.status).toBe('success');
    expect(execution.output('Dealkeep')).toHaveLength(150);
    expect(new Set(seen().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
    expect(await companiesOf(organization)).toHaveLength(150);
  });

  test('that never arrive say that nobody knows what became of them', async (context) => {
    const lost = Array.from({ length: 6 }, () => 'lose the answer' as const);
    const { credential } = await way(context, ['pass', ...lost]);
    const error = (await n8n.act(create, credential, { items: rightItems(250) })).error('Dealkeep');
    expect(error?.itemIndex).toBe(100);
    expect(error?.description).toContain(
      'Items 100 to 199 were sent together and nobody knows whether they are done (Retry On Fail does none of them twice), those before are done, those from 200 on were not sent.',
    );
  });

  test('wait for the next minute before a batch that would be refused', async (context) => {
    const { credential, seen } = await way(context, [{ left: 5, reset: 3 }]);
    const name = 'Patient';
    const execution = await n8n.act(create, credential, { items: rightItems(200), settings: { name } });
    expect(execution.output(name)).toHaveLength(200);
    const [first, second] = seen();
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(3000);
    await context.expect.poll(() => n8n.log()).toContain(`${name} has done 100 of 200 items and waits 3 s`);
  });

  test('are updated together, and a record that is gone is named', async (context) => {
    const { organization, credential, seen } = await way(context);
    const api = new Api(dealkeep.baseUrl, organization.key);
    const ids: string[] = [];
    for (const { name } of rightItems(12)) ids.push(await api.create('/companies', { name }));
    const gone = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
    const execution = await n8n.act(
      {
        resource: 'company',
        operation: 'update',
        companyId: chosen('={{ $json.id }}'),
        updateFields: { email: '={{ $json.email }}' },
        simplify: false,
      },
      credential,
      {
        items: [...ids, gone].map((id, index) => ({ id, email: `new${index}@dealkeep.example` })),
        settings: continues,
      },
    );
    const output = execution.output('Dealkeep');
    expect(output.slice(0, 12).map(({ id, email }) => [id, email])).toEqual(
      ids.map((id, index) => [id, `new${index}@dealkeep.example`]),
    );
    expect(output[12]).toEqual({ error: expect.stringMatching(/^Company: .+ \[item 12\]$/) });
    expect(seen()).toHaveLength(1);
  });

  test.for([
    ['contact', 'email'],
    ['client', 'company_id'],
    ['lead', undefined],
    ['activity', undefined],
    ['task', undefined],
  ] as const)('of every kind are created and updated together: %s', async ([resource, matchBy], context) => {
    const { organization, credential, seen } = await way(context, [], 1000);
    const api = new Api(dealkeep.baseUrl, organization.key);
    const company = await api.create('/companies', { name: 'Tatra Bikes' });
    const own = async (index: number) =>
      resource === 'client' ? api.create('/companies', { name: `Client ${index}` }) : company;
    const items = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => ({
        name: `Name ${index}`,
        title: `Title ${index}`,
        email: `mail${index}@dealkeep.example`,
        company_id: await own(index),
        start_at: '2026-10-02T08:00:00Z',
        note: `Note ${index}`,
      })),
    );
    const mapping = { mappingMode: 'autoMapInputData', value: null };
    const together = async (
      parameters: Record<string, unknown>,
      columns: readonly Record<string, unknown>[],
    ) => {
      const before = seen().length;
      const whole = { resource, mapping, simplify: false, ...parameters };
      const execution = await n8n.act(whole, credential, { items: [...columns] });
      expect(execution.error('Dealkeep')).toBeUndefined();
      expect(seen().length - before).toBe(1);
      expect(execution.output('Dealkeep')).toHaveLength(12);
      return execution.output('Dealkeep');
    };
    const wanted = items.map((item) => columnsOf(resource, item));
    const made = await together({ operation: 'create' }, wanted);
    const ids = made.map((each) => String(each['id']));
    expect(new Set(ids).size).toBe(12);

    const changed = await together(
      { operation: 'update', [`${resource}Id`]: chosen('={{ $json.id }}') },
      ids.map((id, index) => ({ id, [noteOf[resource]]: `Changed ${index}` })),
    );
    expect(changed.map((each) => [each['id'], each[noteOf[resource]]])).toEqual(
      ids.map((id, index) => [id, `Changed ${index}`]),
    );
    if (matchBy === undefined) return;
    const again = await together({ operation: 'upsert', matchBy }, wanted);
    expect(again.map((each) => each['id'])).toEqual(ids);
  });
});
