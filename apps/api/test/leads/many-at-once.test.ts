import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

const descriptions = [
  { name: 'Acme' },
  { name: 'ACME', email: 'office@acme.example' },
  { name: 'acme', registration_id: '77' },
  { name: 'Acme', email: 'Office@Acme.example', registration_id: '77' },
];

test('one company described in four ways by twenty at once is one company, with one contact and one lead', async () => {
  const { api, eventTypes } = await openBusiness(dealkeep);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      api.post('/leads', {
        company: descriptions[number % 4],
        contact: number % 3 === 0 ? { name: 'Eva' } : { name: 'EVA', email: 'eva@acme.example' },
        dedupe: 'company',
      }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(19).fill(200), 201]);
  expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
  for (const list of ['/companies', '/contacts', '/leads'] as const) {
    expect(await api.walk(list)).toHaveLength(1);
  }
  expect(await eventTypes()).toEqual(['company.created', 'contact.created', 'lead.created']);
});

test('without dedupe each has its lead, and all of them the one company and the one contact', async () => {
  const { api } = await openBusiness(dealkeep);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      api.post('/leads', { company: descriptions[number % 4], contact: { name: 'Eva' } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  expect(await api.walk('/leads')).toHaveLength(20);
  for (const list of ['/companies', '/contacts'] as const) expect(await api.walk(list)).toHaveLength(1);
});
