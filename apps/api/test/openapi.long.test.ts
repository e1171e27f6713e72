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

const documents = {
  'public-v1.json': openapiDocument,
  'public-v1.yaml': openapiDocument,
  'public-v1-3.0.json': openapi30Document,
  'public-v1-2.0.json': swagger2Document,
  'asyncapi.yaml': asyncapiDocument,
  'postman.json': postmanCollection,
};

// Fetched before any is read: reading so much YAML takes this process longer than a server keeps a connection.
const [page = '', short = ''] = await Promise.all(
  ['/docs', '/llms.txt'].map(async (path) => (await fetch(dealkeep.origin + path)).text()),
);
const fetched = await Promise.all(
  Object.entries(documents).map(async ([name, describeApi]) => {
    const url = `${dealkeep.origin}/api/v1/openapi/${name}`;
    const answer = await fetch(url, {
      headers: { Origin: 'https://editor.example', 'Accept-Encoding': 'gzip' },
    });
    const tag = answer.headers.get('etag') ?? '';
    const again = await fetch(url, { headers: { 'If-None-Match': tag } });
    return { name, describeApi, answer, text: await answer.text(), tag, again };
  }),
);

describe.each(fetched)('$name', ({ name, describeApi, answer, text, tag, again }) => {
  test('needs no key, and says what the contract says', () => {
    const form = name.endsWith('.yaml') ? 'yaml' : 'json';
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, `application/${form}`]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const written = JSON.stringify(describeApi('http://localhost:3000'));
    // Many tools still read YAML 1.1, which has dates and takes NO for false.
    expect(form === 'yaml' ? parse(text, { version: '1.1' }) : JSON.parse(text)).toEqual(
      JSON.parse(withExamplesOfDay(written, dealkeep.core.clock.now())),
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

test('the YAML says the same to readers of YAML 1.1 and 1.2', () => {
  const { text = '' } = fetched.find(({ name }) => name === 'public-v1.yaml') ?? {};
  expect(text).toContain('version: "2026-10-01"');
  const written = JSON.stringify(openapiDocument('http://localhost:3000'));
  expect(parse(text)).toEqual(JSON.parse(withExamplesOfDay(written, dealkeep.core.clock.now())));
});
