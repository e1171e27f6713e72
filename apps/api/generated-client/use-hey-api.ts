// What a customer writes who has generated a client of our OpenAPI description with @hey-api/openapi-ts (./hey-api): it
// must compile, hold every operation, and work. Not checked with the repository, where no such client is.
import assert from 'node:assert/strict';
import { client } from './hey-api/client.gen.ts';
import * as operations from './hey-api/sdk.gen.ts';

const [baseUrl = '', key = '', ...operationIds] = process.argv.slice(2);
client.setConfig({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

const generated = new Map<string, unknown>(Object.entries(operations));
const nameOf = (id: string): string => id.replaceAll(/[.-](.)/g, (_, letter: string) => letter.toUpperCase());
assert.deepEqual(
  operationIds.filter((id) => typeof generated.get(nameOf(id)) !== 'function'),
  [],
);

const name = 'Generated Client s.r.o.';
const { data: made } = await operations.companiesCreate({
  body: { name, country_code: 'SK' },
  throwOnError: true,
});
const { data: page } = await operations.companiesList({ query: { q: name, limit: 5 }, throwOnError: true });
const ids: string[] = page.data.map(({ id }) => id);
assert.ok(ids.includes(made.data.id));
const { data: either } = await operations.leadsList({
  query: { status: ['open', 'won'], limit: 100 },
  throwOnError: true,
});
assert.ok(either.data.length > 0 && either.data.every(({ status }) => status !== 'lost'));
