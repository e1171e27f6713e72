import {
  asyncapiDocument,
  openapi30Document,
  openapiDocument,
  postmanCollection,
  swagger2Document,
  withExamplesOfDay,
} from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const dealkeep = await sharedDealkeep();
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
  const written = JSON.stringify(openapiDocument('http://localhost:3000'));
  expect(document).toEqual(JSON.parse(withExamplesOfDay(written, dealkeep.core.clock.now())));
  expect(parse(yamlText)).toEqual(document);
});

// Many tools still read YAML 1.1, which has dates and takes NO for false.
test('as YAML it says the same to readers of YAML 1.1', () => {
  expect(yamlText).toContain('version: "2026-10-01"');
  expect(parse(yamlText, { version: '1.1' })).toEqual(document);
});

const [page = '', short = ''] = await Promise.all(
  ['/docs', '/llms.txt'].map(async (path) => (await fetch(dealkeep.origin + path)).text()),
);

const derived = {
  'public-v1-3.0.json': openapi30Document,
  'public-v1-2.0.json': swagger2Document,
  'asyncapi.yaml': asyncapiDocument,
  'postman.json': postmanCollection,
};

describe.each(Object.entries(derived))('%s, for other tools', async (name, describeApi) => {
  const url = `${dealkeep.origin}/api/v1/openapi/${name}`;
  const answer = await fetch(url, {
    headers: { Origin: 'https://editor.example', 'Accept-Encoding': 'gzip' },
  });
  const text = await answer.text();
  const tag = answer.headers.get('etag') ?? '';
  const again = await fetch(url, { headers: { 'If-None-Match': tag } });

  test('needs no key, and says what the contract says', () => {
    const form = name.endsWith('.yaml') ? 'yaml' : 'json';
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, `application/${form}`]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(form === 'yaml' ? parse(text, { version: '1.1' }) : JSON.parse(text)).toEqual(
      JSON.parse(
        withExamplesOfDay(JSON.stringify(describeApi('http://localhost:3000')), dealkeep.core.clock.now()),
      ),
    );
  });

  test('comes compressed, with an ETag by which it is not sent again', async () => {
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('is linked from the reference and from llms.txt', () => {
    expect(page).toContain(`href="/api/v1/openapi/${name}"`);
    expect(short).toContain(`/api/v1/openapi/${name})`);
  });
});
