// What a customer writes who has generated types of our OpenAPI description (./public-v1.ts): it must compile, what is
// wrong in it must not, and it must work. Not checked with the repository, where no such types are.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './public-v1.ts';

type Lead = components['schemas']['Lead'];

const [baseUrl = '', key = ''] = process.argv.slice(2);
const dealkeep = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

/** What a call answered, or an end with what it was told. */
function answered<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  assert.equal(error, undefined);
  assert.ok(data !== undefined);
  return data;
}

const { organization, limits } = answered(await dealkeep.GET('/me')).data;
const slug: string = organization.slug;
const perMinute: number = limits.requests_per_minute;
assert.equal(slug, 'demo');
assert.ok(perMinute > 0);

const company = answered(
  await dealkeep.POST('/companies', {
    body: { name: 'Generated Types s.r.o.', country_code: 'SK', note: null },
    params: { header: { 'Idempotency-Key': 'generated-client-1' } },
  }),
).data;
// Only a key that may not read is answered without it.
assert.equal(company.address?.city, null);

const changed = answered(
  await dealkeep.PATCH('/companies/{id}', {
    params: { path: { id: company.id } },
    body: { city: 'Košice' },
  }),
).data;
assert.equal(changed.address?.city, 'Košice');

const pipelines = answered(await dealkeep.GET('/pipelines')).data;
const pipeline = pipelines.find(({ is_default }) => is_default);
const won = pipeline?.stages.find(({ kind }) => kind === 'won');
assert.ok(pipeline && won);
const lead = answered(
  await dealkeep.POST('/leads', {
    body: { company_id: company.id, pipeline_id: pipeline.id, value: 1200.5 },
  }),
).data;
const status: 'open' | 'won' | 'lost' | undefined = lead.status;
assert.equal(status, 'open');
const moved = answered(
  await dealkeep.POST('/leads/{id}/move', { params: { path: { id: lead.id } }, body: { stage_id: won.id } }),
).data;
assert.equal(moved.status, 'won');
assert.equal(moved.stage?.probability, won.probability);

const leads: Lead[] = [];
let cursor: string | null = null;
do {
  const page: { data: Lead[]; next_cursor: string | null; has_more: boolean } = answered(
    await dealkeep.GET('/leads', {
      params: { query: { limit: 20, sort: '-value', ...(cursor === null ? {} : { cursor }) } },
    }),
  );
  leads.push(...page.data);
  cursor = page.next_cursor;
} while (cursor !== null);
assert.equal(new Set(leads.map(({ id }) => id)).size, leads.length);
assert.ok(leads.length > 20 && leads.some(({ id }) => id === lead.id));

const invoice = answered(
  await dealkeep.POST('/invoices', {
    body: { company_id: company.id, items: [{ name: 'City bike', unit_price: 450, vat_rate: 23 }] },
  }),
).data;
assert.equal(invoice.total, 553.5);

// Lists in a query are sent one value at a time, or with commas.
const either = answered(
  await dealkeep.GET('/leads', { params: { query: { status: ['open', 'won'], limit: 100 } } }),
).data;
assert.ok(either.length > 0 && either.every((each) => each.status !== 'lost'));

const [product] = answered(
  await dealkeep.GET('/products', { params: { query: { include: 'stock', limit: 1 } } }),
).data;
assert.ok(product);
const stock: number | undefined = product.stock_available;
assert.equal(typeof stock, 'number');
const order = answered(
  await dealkeep.POST('/orders', {
    body: { customer: { name: 'Eva Šimková' }, items: [{ product_uuid: product.uuid, quantity: 1 }] },
  }),
).data;
assert.equal(order.items?.[0]?.product_uuid, product.uuid);

const eventTypes = answered(await dealkeep.GET('/webhooks/events')).data.map(({ type }) => type);
assert.equal(eventTypes.length, 45);
const [sample] = answered(
  await dealkeep.GET('/webhooks/events/{type}/sample', { params: { path: { type: 'lead.won' } } }),
);
assert.equal(sample?.test, true);

const { error, response } = await dealkeep.GET('/leads/{id}', { params: { path: { id: organization.id } } });
assert.equal(response.status, 404);
assert.equal(error?.error.code, 'NOT_FOUND');

// What the description does not allow must not compile; and the API refuses it.
const refused = await dealkeep.POST('/companies', {
  // @ts-expect-error a value of another type
  body: { name: 12 },
});
assert.equal(refused.error?.error.code, 'VALIDATION_ERROR');
// @ts-expect-error a required field is missing
assert.equal((await dealkeep.POST('/contacts', { body: { name: 'A' } })).response.status, 422);
// @ts-expect-error no such sort
assert.equal((await dealkeep.GET('/leads', { params: { query: { sort: 'phone' } } })).response.status, 400);
// @ts-expect-error no such code
assert.notEqual(refused.error?.error.code === 'NO_SUCH_CODE', true);
// @ts-expect-error no such operation
assert.equal((await dealkeep.GET('/everything')).response.status, 404);
