import { sharedDealkeep } from '@dealkeep/testing';
import { defaultPipeline, lostReason, openBusiness, recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addClient, addPipeline, addTag, addUser } from '../console-edits.ts';

const dealkeep = await sharedDealkeep();

/** A business with two companies of one contact each, and a lead of the first. */
async function oneLead() {
  const business = await openBusiness(dealkeep);
  const { api } = business;
  const acme = (await api.post('/companies', { name: 'Acme' })).data;
  const beta = (await api.post('/companies', { name: 'Beta' })).data;
  const eva = (await api.post('/contacts', { company_id: acme.id, name: 'Eva' })).data;
  const ivan = (await api.post('/contacts', { company_id: beta.id, name: 'Ivan' })).data;
  const lead = (await api.post('/leads', { name: 'Bikes', value: 10, contact_id: eva.id, note: 'Old' })).data;
  const patch = (body: object) => api.patch(`/leads/${lead.id}`, body);
  return { ...business, acme, beta, eva, ivan, lead, patch };
}

test('what is sent changes, all else stays', async () => {
  const { api, lead, patch, eventsDuring } = await oneLead();
  const events = await eventsDuring(async () => {
    const answer = await patch({ name: '  Fleet ', value: 99.5 });
    expect(answer.status).toBe(200);
    expect(answer.data).toEqual({ ...lead, name: 'Fleet', value: 99.5, updated_at: answer.data.updated_at });
    expect(answer.data.updated_at).not.toBe(lead.updated_at);
  });
  expect(events).toMatchObject([{ type: 'lead.updated', changed_fields: ['name', 'value'] }]);
  expect(events[0]?.dataText).toBe(recordText((await api.get(`/leads/${lead.id}`)).text));
});

test('every field can change, and is named when it did', async () => {
  const { organization, patch, eventsDuring, api, beta, ivan } = await oneLead();
  const origin = (await api.get('/lead-origins')).page.data[0];
  const marek = await addUser({ dealkeep, organization }, 'Marek');
  const client = await addClient({ dealkeep, organization }, beta.id);
  const body = {
    name: 'New name',
    value: 1.5,
    acquisition_cost: 2.25,
    expected_close_date: '2027-02-28',
    note: 'New note',
    company_id: beta.id,
    contact_id: ivan.id,
    owner_id: marek,
    assignee_ids: [marek],
    origin_id: origin?.id,
  };
  const events = await eventsDuring(async () => {
    expect((await patch(body)).data).toMatchObject({
      name: 'New name',
      value: 1.5,
      acquisition_cost: 2.25,
      expected_close_date: '2027-02-28',
      note: 'New note',
      company: { id: beta.id },
      contact: { id: ivan.id },
      client: { id: client, name: 'Beta' },
      owner: { id: marek },
      assignees: [{ id: marek, name: 'Marek' }],
      origin: { id: origin?.id },
    });
  });
  expect(events).toHaveLength(1);
  expect(events[0]?.changed_fields?.toSorted()).toEqual([
    'acquisition_cost',
    'assignees',
    'client',
    'company',
    'contact',
    'expected_close_date',
    'name',
    'note',
    'origin',
    'owner',
    'value',
  ]);
});

describe('nothing changes (rule bodies 6)', () => {
  test.each([
    ['without a body', undefined],
    ['with an empty one', {}],
    ['with the same values', { name: ' Bikes ', value: 10.0, note: 'Old', expected_close_date: null }],
  ])('%s', async (_, body) => {
    const { api, lead, eventsDuring } = await oneLead();
    const events = await eventsDuring(async () => {
      const answer = await api.send('PATCH', `/leads/${lead.id}`, body === undefined ? {} : { json: body });
      expect(answer.outcome).toBe('200');
      expect(answer.data).toEqual(lead);
    });
    expect(events).toEqual([]);
  });

  test('with the same references', async () => {
    const { lead, patch, acme, eva, eventsDuring, organization } = await oneLead();
    const tag = await addTag({ dealkeep, organization }, 'VIP', { table: 'leads', ids: [lead.id] });
    expect(tag).toBeTruthy();
    const events = await eventsDuring(async () => {
      const answer = await patch({
        company_id: acme.id.toUpperCase(),
        contact_id: eva.id,
        owner_id: null,
        assignee_ids: [],
        pipeline_id: lead.pipeline?.id,
        stage_id: lead.stage?.id,
      });
      expect(answer.data).toEqual({ ...lead, tags: ['VIP'] });
    });
    expect(events).toEqual([]);
  });
});

test('null clears (rule bodies 5)', async () => {
  const { api, organization, lead, patch } = await oneLead();
  const origin = (await api.get('/lead-origins')).page.data[0];
  await patch({
    acquisition_cost: 1,
    expected_close_date: '2027-01-01',
    owner_id: organization.ownerId,
    assignee_ids: [organization.ownerId],
    origin_id: origin?.id,
  });
  const cleared = await patch({
    name: null,
    value: null,
    acquisition_cost: null,
    expected_close_date: null,
    note: null,
    owner_id: null,
    assignee_ids: [],
    origin_id: null,
    company_id: null,
    contact_id: null,
  });
  expect(cleared.data).toEqual({
    ...lead,
    name: null,
    value: null,
    acquisition_cost: null,
    expected_close_date: null,
    note: null,
    owner: null,
    assignees: [],
    origin: null,
    company: null,
    contact: null,
    updated_at: cleared.data.updated_at,
  });
});

describe('company and contact', () => {
  test('another company without a contact lets the old contact go (rule leads 7)', async () => {
    const { patch, beta } = await oneLead();
    expect((await patch({ company_id: beta.id })).data).toMatchObject({
      company: { id: beta.id },
      contact: null,
    });
  });

  test('no company lets the contact go', async () => {
    const { patch } = await oneLead();
    expect((await patch({ company_id: null })).data).toMatchObject({ company: null, contact: null });
  });

  test('a contact alone brings its company when the lead has none', async () => {
    const { patch, ivan, beta } = await oneLead();
    await patch({ company_id: null });
    expect((await patch({ contact_id: ivan.id })).data).toMatchObject({
      company: { id: beta.id },
      contact: { id: ivan.id },
    });
  });

  test('a contact of another company is refused (rules leads 6 and 7)', async () => {
    const { patch, ivan, beta, eva } = await oneLead();
    expect((await patch({ contact_id: ivan.id })).fields).toEqual({ contact_id: 'contact_of_other_company' });
    expect((await patch({ company_id: beta.id, contact_id: eva.id })).fields).toEqual({
      contact_id: 'contact_of_other_company',
    });
    expect((await patch({ company_id: null, contact_id: eva.id })).fields).toEqual({
      contact_id: 'needs_company',
    });
  });

  test('a contact that has moved to another company meanwhile does not stand in the way (rule leads 7)', async () => {
    const { api, lead, patch, eva, beta } = await oneLead();
    await api.patch(`/contacts/${eva.id}`, { company_id: beta.id });
    expect((await patch({ note: 'New' })).outcome).toBe('200');
    expect((await patch({ contact_id: eva.id, note: 'Newer' })).data).toMatchObject({
      note: 'Newer',
      company: { id: lead.company?.id },
      contact: { id: eva.id },
    });
  });
});

describe('a stage among the fields is a move', () => {
  test('beside other changes: lead.updated, then lead.stage_changed, then the decision (rules leads 23 and 26)', async () => {
    const { api, lead, patch, eventsDuring } = await oneLead();
    const { stages } = await defaultPipeline(api);
    const events = await eventsDuring(async () => {
      const won = (await patch({ name: 'Sold', stage_id: stages['Won'] })).data;
      expect(won).toMatchObject({ name: 'Sold', status: 'won', won_at: won.updated_at });
    });
    expect(events.map(({ type }) => type)).toEqual(['lead.updated', 'lead.stage_changed', 'lead.won']);
    const text = recordText((await api.get(`/leads/${lead.id}`)).text);
    expect(events.map(({ dataText }) => dataText)).toEqual([text, text, text]);
    expect(events[0]?.changed_fields).toContain('name');
    expect(events[0]?.changed_fields).not.toContain('updated_at');
    expect(events.slice(1).every((event) => !('changed_fields' in event))).toBe(true);
  });

  test('alone: no lead.updated', async () => {
    const { api, patch, eventsDuring } = await oneLead();
    const { stages } = await defaultPipeline(api);
    const events = await eventsDuring(() => patch({ stage_id: stages['Contacted'] }));
    expect(events.map(({ type }) => type)).toEqual(['lead.stage_changed']);
  });

  test('lost and reopened it leaves no reason behind', async () => {
    const { api, lead, patch } = await oneLead();
    const { stages } = await defaultPipeline(api);
    await api.post(`/leads/${lead.id}/move`, {
      stage_id: stages['Lost'],
      lost_reason_id: await lostReason(api),
    });
    expect((await patch({ stage_id: stages['New'] })).data).toMatchObject({
      status: 'open',
      lost_at: null,
      lost_reason: null,
    });
  });

  test('into a lost stage takes the reason and the note along (rules leads 20 and 24)', async () => {
    const { api, organization, lead, patch, eventsDuring } = await oneLead();
    const strict = await addPipeline(
      { dealkeep, organization },
      'Strict',
      { Open: 'open', Gone: 'lost', Away: 'lost' },
      { requireLostReason: true },
    );
    const lost_reason_id = await lostReason(api);
    const gone = { pipeline_id: strict.id, stage_id: strict.stages['Gone'] };
    expect((await patch({ ...gone, lost_note: 'Silent.' })).fields).toEqual({
      lost_reason_id: 'lost_reason_required',
    });
    const events = await eventsDuring(async () => {
      const lost = (await patch({ ...gone, lost_reason_id, lost_note: 'Silent.' })).data;
      expect(lost).toMatchObject({
        status: 'lost',
        lost_reason: { id: lost_reason_id },
        lost_note: 'Silent.',
      });
      expect((await api.get(`/leads/${lead.id}`)).data).toEqual(lost);
    });
    expect(events.map(({ type }) => type)).toEqual(['lead.stage_changed', 'lead.lost']);
    const away = (await patch({ stage_id: strict.stages['Away'], lost_reason_id, lost_note: null })).data;
    expect(away).toMatchObject({ stage: { name: 'Away' }, lost_note: null });
    expect((await patch({ lost_reason_id: null })).fields).toEqual({
      lost_reason_id: 'lost_reason_required',
    });
  });

  test('the reason and the note of a lost lead are fields like others, which no other lead has (rule leads 29)', async () => {
    const { api, lead, patch, eventsDuring } = await oneLead();
    const { stages } = await defaultPipeline(api);
    const because = { lost_reason_id: await lostReason(api), lost_note: 'Silent.' };
    const refused = { lost_reason_id: 'only_of_lost_leads', lost_note: 'only_of_lost_leads' };
    for (const body of [
      because,
      { ...because, stage_id: stages['New'] },
      { ...because, stage_id: stages['Won'] },
    ]) {
      expect((await patch(body)).fields).toEqual(refused);
    }
    expect((await patch({ lost_reason_id: null, lost_note: null })).data).toEqual(lead);
    await patch({ stage_id: stages['Lost'] });
    const events = await eventsDuring(async () => {
      expect((await patch({ ...because, stage_id: stages['Lost'] })).data).toMatchObject({
        lost_reason: { id: because.lost_reason_id },
        lost_note: 'Silent.',
      });
      expect((await patch({ lost_reason_id: null, lost_note: null })).data).toMatchObject({
        lost_reason: null,
        lost_note: null,
      });
    });
    expect(events.map(({ type, changed_fields }) => [type, changed_fields])).toEqual([
      ['lead.updated', ['lost_reason', 'lost_note']],
      ['lead.updated', ['lost_reason', 'lost_note']],
    ]);
  });

  test('a pipeline alone means its first open stage; the pipeline where the lead is means nothing (rule leads 23)', async () => {
    const { api, organization, lead, patch, eventsDuring } = await oneLead();
    const { id: usual, stages } = await defaultPipeline(api);
    const other = await addPipeline({ dealkeep, organization }, 'Other', { Won: 'won', First: 'open' });
    await patch({ stage_id: stages['Negotiation'] });
    expect(await eventsDuring(() => patch({ pipeline_id: usual }))).toEqual([]);
    const events = await eventsDuring(async () => {
      expect((await patch({ pipeline_id: other.id })).data).toMatchObject({
        pipeline: { id: other.id },
        stage: { id: other.stages['First'] },
      });
    });
    expect(events.map(({ type }) => type)).toEqual(['lead.stage_changed']);
    expect((await api.get(`/leads/${lead.id}`)).data.pipeline?.name).toBe('Other');
  });

  test('a pipeline with its stage moves there; a stage of another pipeline is refused (rule leads 23)', async () => {
    const { api, organization, patch, lead } = await oneLead();
    const other = await addPipeline({ dealkeep, organization }, 'Other', { First: 'open', Second: 'open' });
    const { id: usual } = await defaultPipeline(api);
    const second = other.stages['Second'];
    expect((await patch({ stage_id: second })).fields).toEqual({ stage_id: 'stage_of_other_pipeline' });
    expect((await patch({ pipeline_id: usual, stage_id: second })).fields).toEqual({
      stage_id: 'stage_of_other_pipeline',
    });
    expect((await patch({ pipeline_id: other.id, stage_id: second })).data.stage?.id).toBe(second);
    expect(lead.pipeline?.id).toBe(usual);
  });

  test('a pipeline cannot be cleared', async () => {
    const { patch } = await oneLead();
    expect(Object.keys((await patch({ pipeline_id: null, stage_id: null })).fields)).toEqual([
      'pipeline_id',
      'stage_id',
    ]);
  });
});

test('eight updates at once all arrive, and each event tells the truth of its moment', async () => {
  const { api, lead, eventsDuring } = await oneLead();
  const fields = ['name', 'note'];
  const events = await eventsDuring(() =>
    Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        api.patch(`/leads/${lead.id}`, { [fields[index % 2] ?? 'name']: `Value ${index}` }),
      ),
    ),
  );
  expect(events).toHaveLength(8);
  const now = (await api.get(`/leads/${lead.id}`)).text;
  expect(events.map(({ dataText }) => dataText)).toContain(recordText(now));
});

test('updated_at never runs backwards, however requests wait for each other (rule bodies 7)', async () => {
  const { api, lead } = await oneLead();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => api.patch(`/leads/${lead.id}`, { note: `Note ${index}` })),
  );
  const { note, updated_at } = (await api.get(`/leads/${lead.id}`)).data;
  const latest = answers
    .map(({ data }) => data.updated_at ?? '')
    .toSorted()
    .at(-1);
  expect(updated_at).toBe(latest);
  expect(answers.find(({ data }) => data.note === note)?.data.updated_at).toBe(latest);
});
