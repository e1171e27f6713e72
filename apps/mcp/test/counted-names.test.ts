import { eventually, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { modern } from './raw-messages.ts';

const dealkeep = await sharedDealkeep();

test('a name that is looked up counts for its requests, and an ID for none (rule rate-limits 10)', async () => {
  const { key } = await dealkeep.createOrganization();
  const { data: tatra } = await dealkeep.as(key).post('/companies', { name: 'Tatra' });
  const left = async (company: string) => {
    const { headers, body } = modern('tools/call', { name: 'get_company', arguments: { company } });
    const answer = await fetch(`${dealkeep.origin}/mcp`, {
      method: 'POST',
      headers: {
        ...headers,
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: String(body),
    });
    return Number(answer.headers.get('X-RateLimit-Remaining'));
  };
  // Within one minute; between two, all are there again.
  await eventually(async () => {
    const counts = [await left(tatra.id), await left(tatra.id), await left('Tatra')];
    expect(counts.map((count) => count - (counts[0] ?? 0))).toEqual([0, -1, -3]);
  });
});
