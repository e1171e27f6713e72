import { type OperationDeclaration, operationIds, operations, type ReferenceName } from '@dealkeep/contract';
import { arbitraryInput, startDealkeep } from '@dealkeep/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openBusiness, recordText } from './business.ts';
import { addPipeline } from './console-edits.ts';
import { everyList } from './lists/every-list.ts';

// Whatever is sent is accepted or refused by a documented error, and every answer is as the contract says: the client
// asks that of each answer. A failure prints the seed that repeats it.
const dealkeep = await startDealkeep({ worker: false });
const { api, organization } = await openBusiness(dealkeep);
await dealkeep.sql`update organizations set max_webhooks = 10000 where id = ${organization.id}`;
await addPipeline(
  { dealkeep, organization },
  'Strict',
  { Open: 'open', Gone: 'lost' },
  { requireLostReason: true },
);

const companies = await Promise.all(
  ['Acme', 'Beta'].map(async (name) => (await api.post('/companies', { name })).data.id),
);
const contacts = await Promise.all(
  companies.map(async (company_id) => (await api.post('/contacts', { company_id, name: 'Eva' })).data.id),
);
const leads = await Promise.all([1, 2, 3].map(async () => (await api.post('/leads', {})).data.id));
const pipelines = (await api.get('/pipelines')).page.data;
const known: Record<ReferenceName, string[]> = {
  company: companies,
  contact: contacts,
  lead: leads,
  user: [organization.ownerId],
  pipeline: pipelines.map(({ id }) => id),
  stage: pipelines.flatMap(({ stages }) => stages.map(({ id }) => id)),
  'lead-origin': (await api.get('/lead-origins')).page.data.map(({ id }) => id),
  'lost-reason': (await api.get('/lost-reasons')).page.data.map(({ id }) => id),
  webhook: [],
};

const withBody = operationIds.flatMap((id) => {
  const declaration: OperationDeclaration = operations[id];
  const { body } = declaration;
  if (!body) return [];
  const isRecord = (name: string): name is ReferenceName => Object.hasOwn(known, name);
  const ids = isRecord(declaration.resource) ? known[declaration.resource] : [];
  const path = fc
    .constantFrom(...(ids.length > 0 ? ids : ['']))
    .map((record) => declaration.path.replace('{id}', record));
  return [{ id, declaration, body, path }];
});

/** Bodies of REST hooks name real events and a target that is allowed. */
const hookBody = fc.record({
  target_url: fc.constantFrom('http://127.0.0.1:4567/', 'http://localhost:4567/x?y=%20#z'),
  events: fc.uniqueArray(fc.constantFrom('lead.created', 'lead.won', 'contact.updated'), { minLength: 1 }),
});

/** A lead's company and contact are described or named, not both; a contact comes from anywhere, so it stands alone. */
function withoutContradictions(body: unknown): unknown {
  const fields: Record<string, unknown> = { ...Object(body) };
  if (fields['contact_id'] || fields['company_id']) delete fields['company'];
  if (fields['contact_id']) for (const name of ['contact', 'company_id']) delete fields[name];
  if (fields['stage_id']) delete fields['pipeline_id'];
  return fields;
}

describe.each(withBody)('$id', ({ id, declaration, body, path }) => {
  const good = id === 'webhooks.create' ? hookBody : arbitraryInput(body, known).map(withoutContradictions);
  /** What can be done once to a record is done to a new one. */
  const recordOf = async (to: string) =>
    id === 'leads.archive' ? `/leads/${(await api.post('/leads', {})).data.id}/archive` : to;

  test('accepts or refuses what its schema allows; what it wrote is what it reads and says', async () => {
    await fc.assert(
      fc.asyncProperty(path, good, async (to, json) => {
        const started = new Date().toISOString();
        const answer = await api.send<{ id: string }>(declaration.method, await recordOf(to), { json });
        expect(answer.status).toBeLessThan(500);
        if (answer.status > 201 || declaration.resource === 'webhook') return;
        const read = await api.send('GET', `/${declaration.path.split('/')[1]}/${answer.data.id}`);
        if (!answer.text.includes('"deduplicated"')) expect(read.text).toBe(answer.text);
        const last = (await dealkeep.eventsOf(organization, answer.data.id)).at(-1);
        if (last && last.timestamp >= started) expect(last.dataText).toBe(recordText(read.text));
      }),
      { numRuns: 40 },
    );
  });

  test('survives any JSON in place of any field', async () => {
    const names = fc.constantFrom(...Object.keys(body.shape), 'nonsense', '__proto__');
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.constantFrom(null, [], {}),
    );
    const spoilt = fc.tuple(good, fc.dictionary(names, anything, { minKeys: 1, maxKeys: 3 }));
    await fc.assert(
      fc.asyncProperty(path, spoilt, async (to, [json, bad]) => {
        const answer = await api.send(declaration.method, to, { json: { ...Object(json), ...bad } });
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 40 },
    );
  });

  test('survives any bytes', async () => {
    const bytes = fc.oneof(
      fc.string(),
      fc.json(),
      fc.uint8Array({ maxLength: 200 }).map((each) => new Uint8Array(each)),
    );
    await fc.assert(
      fc.asyncProperty(path, bytes, async (to, sent) => {
        const headers = { 'Content-Type': 'application/json' };
        const answer = await api.send(declaration.method, to, { body: sent, headers });
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 20 },
    );
  });
});

describe.each(everyList)('GET $path', ({ path, parameters }) => {
  test('survives any query', async () => {
    const query = fc.record(
      Object.fromEntries(
        Object.entries(parameters)
          .filter(([name]) => name !== 'cursor')
          .map(([name, schema]) => [
            name,
            fc.oneof(
              { arbitrary: arbitraryInput(schema, known).map(String), weight: 60 },
              fc.string({ unit: 'binary' }),
            ),
          ]),
      ),
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const search = new URLSearchParams(
          Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]),
        );
        const answer = await api.send('GET', `${path}?${search}`);
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 40 },
    );
  });
});

test('any path is answered', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT'),
      fc.webPath(),
      async (method, path) => {
        expect((await api.send(method, path.startsWith('/') ? path : `/${path}`)).status).toBeLessThan(500);
      },
    ),
    { numRuns: 60 },
  );
});
