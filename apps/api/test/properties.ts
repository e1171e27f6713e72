import { type OperationDeclaration, type OperationId, operationIds, operations } from '@dealkeep/contract';
import { arbitraryInput, sharedDealkeep } from '@dealkeep/testing';
import { recordText } from '@dealkeep/testing/business';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addPipeline } from './console-edits.ts';
import { idOf, idsOf, type KnownBusiness, openKnownBusiness, pathOn } from './known-records.ts';
import { addressOf, everyList } from './paging/every-list.ts';

const dealkeep = await sharedDealkeep();
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

/**
 * A lead's company and contact are described or named, not both; a contact comes from anywhere, so it stands alone.
 */
function withoutContradictions(body: unknown): unknown {
  const fields: Record<string, unknown> = { ...Object(body) };
  if (fields['contact_id'] || fields['company_id']) delete fields['company'];
  if (fields['contact_id']) for (const name of ['contact', 'company_id']) delete fields[name];
  if (fields['stage_id']) delete fields['pipeline_id'];
  return fields;
}

/** Holds each record that a batch answers against what is read; how many those are. */
async function itemsAsRead(
  { path }: OperationDeclaration,
  results: readonly { status: number; data?: { id: string; upserted?: string; deduplicated?: boolean } }[],
): Promise<number> {
  expect(results.filter(({ status }) => status >= 500)).toEqual([]);
  // Several items can be of one record: the last one is what is there.
  const last = new Map(results.flatMap(({ data }) => (data ? [[data.id, data] as const] : [])));
  for (const [id, { upserted: _, deduplicated: __, ...data }] of last) {
    expect((await api.send('GET', `/${path.split('/')[1]}/${id}`)).json).toEqual({ data });
  }
  return last.size;
}

export interface Properties {
  /** How many inputs are tried of each. A case takes up to three requests. */
  readonly runs: number;
  /** Which operations with a body and which lists; all when absent. */
  readonly only?: readonly OperationId[];
}

/**
 * Whatever is sent is accepted or refused by a documented error, and every answer is as the contract says: the
 * client asks that of each answer. A failure prints the seed that repeats it.
 */
export function tryProperties({ runs, only = operationIds }: Properties): void {
  describe.each(withBody.filter(({ id }) => only.includes(id)))('$id', ({ id, declaration, body, path }) => {
    const good = id === 'webhooks.create' ? hookBody : arbitraryInput(body, known).map(withoutContradictions);
    /** What can be done once to a record is done to a new one. */
    const recordOf = async (to: string) =>
      declaration.kind === 'action'
        ? pathOn(declaration, await business.freshRecord(declaration.resource))
        : to;
    /** A company has one client, and those that are known may have theirs. */
    const ofNewCompany = async (json: unknown) => ({
      ...Object(json),
      company_id: await business.freshRecord('company'),
    });
    const bodyOf = async (json: unknown) => {
      if (id === 'clients.create') return ofNewCompany(json);
      const { operation, items } = Object(json);
      if (id !== 'clients.batch' || operation !== 'create' || !Array.isArray(items)) return json;
      return { operation, items: await Promise.all(items.map(ofNewCompany)) };
    };

    test('accepts or refuses what its schema allows; what it wrote is what it reads and says', async () => {
      let accepted = declaration.resource === 'webhook' ? 1 : 0;
      await fc.assert(
        fc.asyncProperty(path, good, async (to, json) => {
          const started = new Date().toISOString();
          const sent = { json: await bodyOf(json) };
          const answer = await api.send(declaration.method, await recordOf(to), sent);
          expect(answer.status).toBeLessThan(500);
          if (answer.status > 201 || declaration.resource === 'webhook') return;
          if (declaration.kind === 'batch') {
            accepted += await itemsAsRead(declaration, JSON.parse(answer.text).data);
            return;
          }
          accepted += 1;
          const record = idOf(declaration.resource, answer.data);
          const read = await api.send('GET', `/${declaration.path.split('/')[1]}/${record}`);
          const written = answer.text.replace(/,"upserted":"\w+"/, '');
          if (!answer.text.includes('"deduplicated"')) expect(read.text).toBe(written);
          const last = (await dealkeep.eventsOf(organization, record)).at(-1);
          if (last && last.timestamp >= started) expect(last.dataText).toBe(recordText(read.text));
        }),
        { numRuns: runs, examples: [[fc.sample(path, 1)[0] ?? '', business.leastBody(declaration)]] },
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
        { numRuns: runs },
      );
    });
  });

  describe.each(everyList.filter(({ id }) => only.includes(id)))('GET $path', ({ path, parameters }) => {
    test('survives any query', async () => {
      const address = await addressOf(dealkeep, business, path);
      const query = fc.record(
        Object.fromEntries(
          Object.entries(parameters)
            // Nor does it wait: that takes as long as it says.
            .filter(([name]) => name !== 'cursor' && name !== 'wait')
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
          const answer = await api.send('GET', `${address}?${search}`);
          expect(answer.status).toBeLessThan(500);
        }),
        { numRuns: runs },
      );
    });
  });

  // Bytes are read by the same code for every operation.
  test.each([
    ['POST', '/leads'],
    ['PATCH', `/leads/${known.lead[0]}`],
  ])('%s survives any bytes', async (method, path) => {
    const bytes = fc.oneof(
      fc.string(),
      fc.json(),
      fc.uint8Array({ maxLength: 200 }).map((each) => new Uint8Array(each)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (sent) => {
        const headers = { 'Content-Type': 'application/json' };
        expect((await api.send(method, path, { body: sent, headers })).status).toBeLessThan(500);
      }),
      { numRuns: 2 * runs },
    );
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
      { numRuns: 2 * runs },
    );
  });
}
