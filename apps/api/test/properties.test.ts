import { type OperationDeclaration, operationIds, operations } from '@dealkeep/contract';
import { arbitraryInput, startDealkeep } from '@dealkeep/testing';
import { recordText } from '@dealkeep/testing/business';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addPipeline } from './console-edits.ts';
import { idOf, idsOf, type KnownBusiness, openKnownBusiness, pathOn } from './known-records.ts';
import { everyList } from './paging/every-list.ts';

// Whatever is sent is accepted or refused by a documented error, and every answer is as the contract says: the client
// asks that of each answer. A failure prints the seed that repeats it.
const dealkeep = await startDealkeep({ worker: false });
const business = await openKnownBusiness(dealkeep);
const { api, organization } = business;
await addPipeline(
  { dealkeep, organization },
  'Strict',
  { Open: 'open', Gone: 'lost' },
  { requireLostReason: true },
);

// The pipelines and stages with the one just added.
const pipelines = (await api.get('/pipelines')).page.data;
const known: KnownBusiness['known'] = {
  ...business.known,
  pipeline: pipelines.map(({ id }) => id),
  stage: pipelines.flatMap(({ stages }) => stages.map(({ id }) => id)),
};

const withBody = operationIds.flatMap((id) => {
  const declaration: OperationDeclaration = operations[id];
  const { body } = declaration;
  if (!body) return [];
  const ids = idsOf(known, declaration.resource);
  const path = fc.constantFrom(...ids).map((record) => pathOn(declaration, record));
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
    declaration.kind === 'action'
      ? pathOn(declaration, await business.freshRecord(declaration.resource))
      : to;
  /** A company has one client. */
  const bodyOf = async (json: unknown) =>
    id === 'clients.create' ? { ...Object(json), company_id: await business.freshRecord('company') } : json;

  test('accepts or refuses what its schema allows; what it wrote is what it reads and says', async () => {
    let accepted = declaration.resource === 'webhook' ? 1 : 0;
    await fc.assert(
      fc.asyncProperty(path, good, async (to, json) => {
        const started = new Date().toISOString();
        const sent = { json: await bodyOf(json) };
        const answer = await api.send(declaration.method, await recordOf(to), sent);
        expect(answer.status).toBeLessThan(500);
        if (answer.status > 201 || declaration.resource === 'webhook') return;
        accepted += 1;
        const record = idOf(declaration.resource, answer.data);
        const read = await api.send('GET', `/${declaration.path.split('/')[1]}/${record}`);
        if (!answer.text.includes('"deduplicated"')) expect(read.text).toBe(answer.text);
        const last = (await dealkeep.eventsOf(organization, record)).at(-1);
        if (last && last.timestamp >= started) expect(last.dataText).toBe(recordText(read.text));
      }),
      { numRuns: 40, examples: [[fc.sample(path, 1)[0] ?? '', business.leastBody(declaration)]] },
    );
    // The least that is taken is always among what is tried.
    expect(accepted).toBeGreaterThan(0);
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
