import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addUser } from '../console-edits.ts';

const dealkeep = await sharedDealkeep();

describe('names', () => {
  test('are trimmed; without one the lead has the name of its company (rule leads 2)', async () => {
    const { api } = await openBusiness(dealkeep);
    const company = (await api.post('/companies', { name: 'Acme' })).data;
    expect((await api.post('/leads', { name: '  Bikes \t\n' })).data.name).toBe('Bikes');
    expect((await api.post('/leads', { company_id: company.id })).data.name).toBe('Acme');
    expect((await api.post('/leads', { name: null, company: { name: 'Beta' } })).data.name).toBe('Beta');
    expect((await api.post('/leads', { name: 'Own', company_id: company.id })).data.name).toBe('Own');
  });
});

describe('null equals absent', () => {
  test('for every optional field (rule bodies 4)', async () => {
    const { api } = await openBusiness(dealkeep);
    const fields = [
      'name',
      'value',
      'acquisition_cost',
      'expected_close_date',
      'note',
      'owner_id',
      'assignee_ids',
      'origin_id',
      'pipeline_id',
      'stage_id',
      'company_id',
      'contact_id',
      'dedupe',
      'company',
      'contact',
    ];
    const lead = await api.post('/leads', Object.fromEntries(fields.map((field) => [field, null])));
    expect(lead.outcome).toBe('201');
    expect(lead.data.stage?.name).toBe('New');
  });
});

describe('amounts', () => {
  test.each([
    [0.005, 0.01],
    [0.004999, 0],
    [1.005, 1.01],
    [2.675, 2.68],
    [8.125, 8.13],
    [1e-7, 0],
    [4.35, 4.35],
    [1_000_000_000_000, 1_000_000_000_000],
    [999_999_999_999.99, 999_999_999_999.99],
    [999_999_999_999.994, 999_999_999_999.99],
  ])('%d is kept as %d, by create and by update alike (rule bodies 21)', async (sent, kept) => {
    const { api } = await openBusiness(dealkeep);
    const created = (await api.post('/leads', { value: sent, acquisition_cost: sent })).data;
    expect([created.value, created.acquisition_cost]).toEqual([kept, kept]);
    const blank = (await api.post('/leads', {})).data;
    const updated = (await api.patch(`/leads/${blank.id}`, { value: sent, acquisition_cost: sent })).data;
    expect([updated.value, updated.acquisition_cost]).toEqual([kept, kept]);
  });

  test('a change that rounds to what is there already is no change', async () => {
    const { api, eventsDuring } = await openBusiness(dealkeep);
    const lead = (await api.post('/leads', { value: 10.01 })).data;
    const events = await eventsDuring(async () => {
      const same = await api.patch(`/leads/${lead.id}`, { value: 10.0149 });
      expect(same.data).toEqual(lead);
    });
    expect(events).toEqual([]);
  });
});

describe('assignees', () => {
  test('stand in the order in which they were sent, each once (rule leads 4)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const other = await addUser({ dealkeep, organization }, 'Marek');
    const lead = await api.post('/leads', { assignee_ids: [other, organization.ownerId, other] });
    expect(lead.data.assignees.map(({ id }) => id)).toEqual([other, organization.ownerId]);
  });

  test('are at most 50 (rule leads 1)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const place = { dealkeep, organization };
    const people = await Promise.all(
      Array.from({ length: 51 }, (_, index) => addUser(place, `Person ${index}`)),
    );
    expect((await api.post('/leads', { assignee_ids: people.slice(0, 50) })).data.assignees).toHaveLength(50);
    const refused = await api.post('/leads', { assignee_ids: people });
    expect(refused.fields).toEqual({ assignee_ids: 'too_many' });
  });
});
