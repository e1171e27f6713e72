import { openapiDocument } from '@dealkeep/contract';
import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const dealkeep = await startDealkeep({ worker: false });
const address = (form: 'json' | 'yaml') => `${dealkeep.origin}/api/v1/openapi/public-v1.${form}`;

// Fetched at once: reading so much YAML takes this process longer than a server keeps a connection.
const [json, yaml] = await Promise.all([fetch(address('json')), fetch(address('yaml'))]);
const [document, yamlText] = await Promise.all([json.json(), yaml.text()]);

test.each(['json', 'yaml'] as const)('any web page may read the %s', async (form) => {
  const origin = 'https://editor.example';
  const read = await fetch(address(form), { headers: { Origin: origin } });
  expect(read.headers.get('access-control-allow-origin')).toBe('*');
  const preflight = await fetch(address(form), {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'x-any',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-methods')).toContain('GET');
  expect(preflight.headers.get('access-control-allow-headers')).toContain('x-any');
});

test('other addresses beside it do not exist', async () => {
  for (const path of [
    '/api/v1/openapi',
    '/api/v1/openapi/',
    '/api/v1/openapi/public-v2.json',
    '/api/v1/openapi/public-v1',
  ]) {
    expect([path, (await fetch(dealkeep.origin + path)).status]).toEqual([path, 404]);
  }
  expect((await fetch(address('json'), { method: 'POST', body: '{}' })).status).toBe(404);
});

test('the description needs no key, as JSON and as YAML, and both say the same', () => {
  expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect([yaml.status, yaml.headers.get('content-type')]).toEqual([200, 'application/yaml']);
  expect(document).toEqual(JSON.parse(JSON.stringify(openapiDocument('http://localhost:3000'))));
  expect(parse(yamlText)).toEqual(document);
});

// Many tools still read YAML 1.1, which has dates and takes NO for false.
test('as YAML it says the same to readers of YAML 1.1', () => {
  expect(yamlText).toContain('version: "2026-10-01"');
  expect(parse(yamlText, { version: '1.1' })).toEqual(document);
});
