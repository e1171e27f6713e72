import { createClient } from '@dealkeep/client';
import { expect, test } from 'vitest';
import { apiKey, client } from './client-in-trouble.ts';
import { answer, refuse } from './servers/scripted-api.ts';

const lead = answer(201, { data: { id: 'lead-1', name: 'Fleet of bikes' } });

test('the client waits as long as Retry-After says, in real time', async () => {
  const refusal = refuse(429, 'RATE_LIMITED', { 'Retry-After': '1' });
  let seenInTheFirstSecond = 0;
  const { baseUrl, seen } = await client((response) => {
    // Begins before the client's own second does, and ends before it.
    setTimeout(() => {
      seenInTheFirstSecond = seen.length;
    }, 990);
    refusal(response);
  }, lead);

  await createClient({ baseUrl, apiKey }).leads.get('lead-1');

  expect([seenInTheFirstSecond, seen.length]).toEqual([1, 2]);
});
