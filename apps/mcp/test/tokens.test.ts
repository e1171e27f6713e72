import { expect, test } from 'vitest';
import { estimateTokens } from '../src/texts/tokens.ts';
import { expectShort, tokensOf } from './answer-tokens.ts';
import { atWork } from './at-work.ts';

test('the definitions of the usual tools take at most 12,000 tokens (rule assistants 21)', async () => {
  const { tools } = await atWork({ path: '/mcp' });
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['search', 'fetch', 'what_changed']));
  expect(tokensOf(JSON.stringify({ tools }))).toBeLessThanOrEqual(12_000);
});

test('tokens are estimated, rather too many than too few', () => {
  const texts = {
    json: JSON.stringify(
      Array.from({ length: 20 }, () => ({ id: crypto.randomUUID(), name: 'City bikes', open: true })),
    ),
    slovak: 'Žltý kôň sa pásol na lúke pri Košiciach, keď prišiel mladý gazda. '.repeat(10),
    chinese: '我们需要二十辆自行车，请尽快报价。'.repeat(10),
    emoji: '🚲👨‍👩‍👧🎉'.repeat(30),
    capitals: 'QWRTZXCVB PLMKJN '.repeat(20),
    hexadecimal: 'a207b6e5a172d3a55e8aee4afbf9e8'.repeat(10),
    pages: Array.from({ length: 10 }, () => `https://app.dealkeep.example/leads/${crypto.randomUUID()}`).join(
      '\n',
    ),
    rare: Array.from({ length: 300 }, (_, index) => String.fromCodePoint(0x1000 + index * 7)).join(''),
  };
  for (const [name, text] of Object.entries(texts)) {
    expect(estimateTokens(text), name).toBeGreaterThanOrEqual(tokensOf(text));
  }
});

test('records full of long texts are listed in 2,000 tokens, too (rule assistants 18)', async () => {
  const { api, call } = await atWork();
  const name = (index: number) => `${index} ${'Xqzvb Žltý 自行车 '.repeat(15)}`.slice(0, 250);
  const items = Array.from({ length: 20 }, (_, index) => ({
    name: name(index),
    note: 'x'.repeat(5000),
    tags: [name(1), name(2)],
  }));
  await api.post('/companies/batch', { operation: 'create', items });
  const listed = await call('list_companies');
  expectShort('list_companies', listed);
  expectShort('search', await call('search', { query: 'Xqzvb' }));
  expectShort('what_changed', await call('what_changed', { limit: 100 }));
  expect(Object(listed.structuredContent).items.length).toBeGreaterThan(1);
});
