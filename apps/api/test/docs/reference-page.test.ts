import { createHash } from 'node:crypto';
import {
  allScopes,
  errorsOf,
  eventTypes,
  fieldsOf,
  type OperationDeclaration,
  operations,
  resourceNames,
  resources,
} from '@dealkeep/contract';
import { sharedDealkeep, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { articleOf, attributes, textOf } from './parts-of-page.ts';

const dealkeep = await sharedDealkeep();
const declarations = Object.values<OperationDeclaration>(operations);

const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(dealkeep.origin + path, { method, headers, redirect: 'manual' });
const pages = {
  en: await (await read('/docs')).text(),
  sk: await (await read('/docs?language=sk')).text(),
};

describe.each(['en', 'sk'] as const)('the reference in %s (rule versioning 10)', (language) => {
  const page = pages[language];

  test('describes every operation with its route, scope, parameters, body fields, answers and errors (rule http 18)', () => {
    for (const declaration of declarations) {
      const { id, method, path, scope, title, about, query, body } = declaration;
      const text = textOf(articleOf(page, id));
      const fields = [...(query ? fieldsOf(query) : []), ...(body ? fieldsOf(body) : [])];
      const names = fields.flatMap((field) => [field.name, ...field.fields.map(({ name }) => name)]);
      const expected = [
        ...[`${method} ${path}`, title[language], about[language].replaceAll('`', ''), scope ?? ''],
        ...declaration.statuses.map(String),
        ...errorsOf(declaration),
        ...(declaration.emits ?? []),
        ...names.map((name) => `${name} `),
        ...fields.flatMap(({ description }) => [
          description?.label[language] ?? '',
          description?.help?.[language] ?? '',
        ]),
      ];
      expect(
        expected.filter((each) => !text.includes(each)),
        id,
      ).toEqual([]);
    }
  });

  test('shows every record, scope and event', () => {
    const ids = new Set(attributes(page, 'id'));
    const expected = [...resourceNames, ...resourceNames.map((name) => `${name}.record`), ...eventTypes];
    expect(expected.filter((id) => !ids.has(id))).toEqual([]);
    expect(allScopes.filter((scope) => !page.includes(`<code>${scope}</code></th>`))).toEqual([]);
    for (const name of resourceNames) expect(page).toContain(resources[name].plural[language]);
  });

  test('has each anchor once, and no link to an anchor that is missing', () => {
    const ids = attributes(page, 'id');
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const links = attributes(page, 'href').filter((href) => href.startsWith('#'));
    expect(links.length).toBeGreaterThan(500);
    expect(links.filter((href) => !ids.includes(href.slice(1)))).toEqual([]);
  });

  test('leaves no value unsaid', () => {
    expect(textOf(page)).not.toMatch(/\bundefined\b|\[object |\bNaN\b/);
  });
});

describe('the language of the reference', () => {
  const languageFor = async (path: string, header?: string) =>
    (await read(path, header === undefined ? {} : { 'Accept-Language': header })).headers.get(
      'content-language',
    );

  test('is the one that the browser asks for', async () => {
    expect(await languageFor('/docs', 'sk-SK,sk;q=0.9,en;q=0.8')).toBe('sk');
    expect(await languageFor('/docs', 'cs')).toBe('sk');
    expect(await languageFor('/docs', 'de,en;q=0.5')).toBe('en');
  });

  test('is the one in the address when there is one', async () => {
    expect(await languageFor('/docs?language=en', 'sk')).toBe('en');
    expect(await languageFor('/docs?language=sk', 'en')).toBe('sk');
    expect(pages.sk).toContain('<html lang="sk">');
  });

  test('can be changed on the page itself', () => {
    expect(attributes(pages.en, 'href')).toContain('?language=sk');
    expect(attributes(pages.sk, 'href')).toContain('?language=en');
  });
});

describe('the reference in a browser', () => {
  test('asks nobody for anything and runs no script', () => {
    expect(pages.en).not.toMatch(/<script|<img|<iframe|<form|\ssrc=|\son\w+=|@import|url\(/i);
    expect(attributes(pages.en, 'rel')).toEqual(['icon', 'alternate']);
    const outside = attributes(pages.en, 'href').filter((href) => /^(?:https?:)?\/\//.test(href));
    expect(outside).toEqual([`${dealkeep.core.origin}/api/v1/openapi/public-v1.json`]);
  });

  test('is allowed exactly its own style', async () => {
    const { headers } = await read('/docs');
    const style = /<style>(.*?)<\/style>/s.exec(pages.en)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(pages.en).not.toContain('style="');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('is not sent again while it is the same', async () => {
    const first = await read('/docs');
    const tag = first.headers.get('etag') ?? '';
    const second = await read('/docs', { 'If-None-Match': `"other", ${tag}` });
    expect([second.status, await second.text()]).toEqual([304, '']);
    expect((await read('/docs?language=sk', { 'If-None-Match': tag })).status).toBe(200);
    expect(first.headers.get('vary')).toBe('Accept-Language, Accept-Encoding');
  });

  test('comes compressed to whom can read that', async () => {
    const compressed = await read('/docs', { 'Accept-Encoding': 'br, gzip' });
    expect(compressed.headers.get('content-encoding')).toBe('br');
    expect(await compressed.text()).toBe(pages.en);
    const older = await read('/docs', { 'Accept-Encoding': 'gzip' });
    expect(older.headers.get('content-encoding')).toBe('gzip');
    expect(await older.text()).toBe(pages.en);
    const plain = await read('/docs', { 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(pages.en);
  });

  test('is found with a slash at the end, and answers HEAD without a body', async () => {
    const slash = await read('/docs/');
    expect([slash.status, slash.headers.get('location')]).toEqual([308, '/docs']);
    const head = await read('/docs', {}, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

test('the reference of the test environment tells its limits and keys', async () => {
  const { origin } = await startDealkeep({ worker: false, environment: 'test' });
  const text = textOf(await (await fetch(`${origin}/docs`)).text());
  expect(text).toContain('60 requests a minute for a credential and 300 for an organization');
  expect(text).toContain('DEALKEEP_KEY=dk_test_');
});
