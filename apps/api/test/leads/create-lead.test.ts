import { sharedDealkeep } from '@dealkeep/testing';
import { defaultPipeline, lostReason, openBusiness, recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addClient, addPipeline, addUser } from '../console-edits.ts';

const dealkeep = await sharedDealkeep();

test('a lead can be created with nothing at all: it stands in the first open stage of the default pipeline (rules leads 1 and 18)', async () => {
  const { api } = await openBusiness(dealkeep);
  const pipeline = await defaultPipeline(api);
  const lead = await api.post('/leads', {});
  expect(lead.status).toBe(201);
  expect(lead.data).toEqual({
    id: expect.any(String),
    name: null,
    status: 'open',
    value: null,
    acquisition_cost: null,
    expected_close_date: null,
    note: null,
    tags: [],
    company: null,
    contact: null,
    client: null,
    owner: null,
    assignees: [],
    origin: null,
    pipeline: { id: pipeline.id, name: 'Sales' },
    stage: { id: pipeline.stages['New'], name: 'New', kind: 'open', probability: 10 },
    stage_entered_at: lead.data.created_at,
    won_at: null,
    lost_at: null,
    lost_reason: null,
    lost_note: null,
    archived_at: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: lead.data.created_at,
    app_url: `http://localhost:3000/leads/${lead.data.id}`,
  });
});

test('no body at all equals an empty one', async () => {
  const { api } = await openBusiness(dealkeep);
  expect((await api.post('/leads')).status).toBe(201);
});

test('a lead with every field answers every field (rules leads 1 and 3)', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const helper = await addUser({ dealkeep, organization }, 'Marek Kováč');
  const company = (await api.post('/companies', { name: 'Tatra Bikes s.r.o.', registration_id: '36123456' }))
    .data;
  const contact = (
    await api.post('/contacts', {
      company_id: company.id,
      name: 'Peter Novák',
      email: 'p@x.example',
      phone: '+421 1',
    })
  ).data;
  const client = await addClient({ dealkeep, organization }, company.id);
  const origin = (await api.get('/lead-origins')).page.data[0];
  const pipeline = await defaultPipeline(api);
  const lead = await api.post('/leads', {
    name: 'Fleet of 20 city bikes',
    value: 18500.5,
    acquisition_cost: 0,
    expected_close_date: '2026-11-30',
    note: ' kept as sent \n',
    company_id: company.id,
    contact_id: contact.id,
    pipeline_id: pipeline.id,
    stage_id: pipeline.stages['Negotiation'],
    owner_id: organization.ownerId,
    assignee_ids: [helper, organization.ownerId],
    origin_id: origin?.id,
  });
  expect(lead.data).toMatchObject({
    name: 'Fleet of 20 city bikes',
    value: 18500.5,
    acquisition_cost: 0,
    expected_close_date: '2026-11-30',
    note: ' kept as sent \n',
    company: { id: company.id, name: 'Tatra Bikes s.r.o.', registration_id: '36123456' },
    contact: { id: contact.id, name: 'Peter Novák', email: 'p@x.example', phone: '+421 1' },
    client: { id: client, name: 'Tatra Bikes s.r.o.' },
    owner: { id: organization.ownerId, name: 'Jana Horváthová' },
    assignees: [
      { id: helper, name: 'Marek Kováč' },
      { id: organization.ownerId, name: 'Jana Horváthová' },
    ],
    origin,
    stage: { id: pipeline.stages['Negotiation'], name: 'Negotiation', kind: 'open', probability: 75 },
  });
  expect((await api.get(`/leads/${lead.data.id}`)).text).toBe(lead.text);
});

test('its event holds byte for byte what GET answers', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const lead = await api.post('/leads', { name: 'Šípková 12 "éčko" \u2028 😀', value: 0.1 });
  const got = await api.get(`/leads/${lead.data.id}`);
  const [event, ...others] = await dealkeep.eventsOf(organization);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
    type: 'lead.created',
    timestamp: lead.data.created_at,
    api_version: '2026-10-01',
    organization: { id: organization.id, slug: organization.slug },
    test: false,
  });
  expect(event).not.toHaveProperty('changed_fields');
  expect(event?.dataText).toBe(recordText(got.text));
});

describe('pipelines and stages', () => {
  test('a pipeline alone means its first open stage, in its own order (rule leads 18)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const pipeline = await addPipeline({ dealkeep, organization }, 'Partners', {
      Lost: 'lost',
      First: 'open',
      Then: 'open',
    });
    const lead = await api.post('/leads', { pipeline_id: pipeline.id });
    expect(lead.data.pipeline).toEqual({ id: pipeline.id, name: 'Partners' });
    expect(lead.data.stage?.id).toBe(pipeline.stages['First']);
  });

  test('a stage alone brings its pipeline', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const pipeline = await addPipeline({ dealkeep, organization }, 'Partners', {
      First: 'open',
      Second: 'open',
    });
    const lead = await api.post('/leads', { stage_id: pipeline.stages['Second'] });
    expect(lead.data.pipeline?.id).toBe(pipeline.id);
  });

  test('a stage of another pipeline than the one given is refused (rule leads 18)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const usual = await defaultPipeline(api);
    const other = await addPipeline({ dealkeep, organization }, 'Partners', { First: 'open' });
    const refused = await api.post('/leads', { pipeline_id: usual.id, stage_id: other.stages['First'] });
    expect(refused.fields).toEqual({ stage_id: 'stage_of_other_pipeline' });
  });

  test('a pipeline without an open stage needs the stage as well', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const pipeline = await addPipeline({ dealkeep, organization }, 'Done', { Won: 'won' });
    expect((await api.post('/leads', { pipeline_id: pipeline.id })).fields).toEqual({
      pipeline_id: 'no_open_stage',
    });
    expect((await api.post('/leads', { stage_id: pipeline.stages['Won'] })).outcome).toBe('201');
  });

  test.each(['won', 'lost'] as const)(
    'a lead created in a %s stage says so after it says that it was created (rule leads 25)',
    async (kind) => {
      const { api, eventTypes } = await openBusiness(dealkeep);
      const pipeline = await defaultPipeline(api);
      const lead = await api.post('/leads', { stage_id: pipeline.stages[kind === 'won' ? 'Won' : 'Lost'] });
      expect(lead.data.status).toBe(kind);
      expect([lead.data.won_at, lead.data.lost_at].filter(Boolean)).toEqual([lead.data.created_at]);
      expect(await eventTypes()).toEqual(['lead.created', `lead.${kind}`]);
    },
  );

  test('a lead created in a lost stage keeps why it was lost, and its pipeline may demand the reason (rules leads 24 and 25)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const pipeline = await addPipeline(
      { dealkeep, organization },
      'Strict',
      { Open: 'open', Gone: 'lost' },
      { requireLostReason: true },
    );
    const reason = await lostReason(api);
    const gone = { stage_id: pipeline.stages['Gone'] };
    for (const body of [gone, { ...gone, lost_reason_id: null }, { ...gone, nonsense: 1 }]) {
      const refused = await api.post('/leads', body);
      expect(refused.fields).toMatchObject({ lost_reason_id: 'lost_reason_required' });
    }
    const lost = await api.post('/leads', { ...gone, lost_reason_id: reason, lost_note: 'Too late.' });
    expect(lost.data).toMatchObject({ status: 'lost', lost_reason: { id: reason }, lost_note: 'Too late.' });
    expect((await api.get(`/leads/${lost.data.id}`)).data).toEqual(lost.data);
  });

  test('a lost reason and a note are refused for a lead that is not lost (rule leads 29)', async () => {
    const { api } = await openBusiness(dealkeep);
    const { stages } = await defaultPipeline(api);
    const because = { lost_reason_id: await lostReason(api), lost_note: 'Too late.' };
    const refused = { lost_reason_id: 'only_of_lost_leads', lost_note: 'only_of_lost_leads' };
    for (const body of [because, { ...because, stage_id: stages['Won'] }]) {
      expect((await api.post('/leads', body)).fields).toEqual(refused);
      expect((await api.post('/leads', { ...body, nonsense: 1 })).fields).toEqual({
        ...refused,
        nonsense: 'unknown',
      });
    }
  });
});

describe('what a lead refers to', () => {
  test('a contact brings its company (rule leads 6)', async () => {
    const { api } = await openBusiness(dealkeep);
    const company = (await api.post('/companies', { name: 'Acme' })).data;
    const contact = (await api.post('/contacts', { company_id: company.id, name: 'Eva' })).data;
    const lead = await api.post('/leads', { contact_id: contact.id });
    expect(lead.data).toMatchObject({
      name: 'Acme',
      company: { id: company.id },
      contact: { id: contact.id },
    });
  });

  test('a contact of another company is refused (rule leads 6)', async () => {
    const { api } = await openBusiness(dealkeep);
    const [acme, beta] = await Promise.all(['Acme', 'Beta'].map((name) => api.post('/companies', { name })));
    const contact = (await api.post('/contacts', { company_id: acme?.data.id, name: 'Eva' })).data;
    const refused = await api.post('/leads', { company_id: beta?.data.id, contact_id: contact.id });
    expect(refused.fields).toEqual({ contact_id: 'contact_of_other_company' });
  });

  test('an id may be written in capitals (rule http 6)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const pipeline = await defaultPipeline(api);
    const company = (
      await api.post('/companies', { name: 'Acme', owner_id: organization.ownerId.toUpperCase() })
    ).data;
    expect(company.owner?.id).toBe(organization.ownerId);
    const lead = await api.post('/leads', {
      company_id: company.id.toUpperCase(),
      stage_id: pipeline.stages['Contacted']?.toUpperCase(),
      assignee_ids: [organization.ownerId, organization.ownerId.toUpperCase()],
    });
    expect(lead.data).toMatchObject({ company: { id: company.id }, stage: { name: 'Contacted' } });
    expect(lead.data.assignees).toHaveLength(1);
    expect((await api.get(`/leads/${lead.data.id.toUpperCase()}`)).data).toEqual(lead.data);
    expect((await api.get('/leads', { company_id: company.id.toUpperCase() })).page.data).toHaveLength(1);
  });

  test('everything that does not exist is named at once (rule leads 4)', async () => {
    const { api } = await openBusiness(dealkeep);
    const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
    const refused = await api.post('/leads', {
      owner_id: nobody,
      assignee_ids: [nobody],
      origin_id: nobody,
      pipeline_id: nobody,
      company_id: nobody,
      contact_id: nobody,
    });
    expect(refused.fields).toEqual({
      owner_id: 'not_found',
      'assignee_ids[0]': 'not_found',
      origin_id: 'not_found',
      pipeline_id: 'not_found',
      company_id: 'not_found',
      contact_id: 'not_found',
    });
  });
});

test('a refused lead leaves nothing behind', async () => {
  const { api, eventTypes } = await openBusiness(dealkeep);
  const reason = await lostReason(api);
  const refused = await api.post('/leads', {
    company: { name: 'New one' },
    contact: { email: 'x@y.example' },
  });
  expect(refused.fields).toEqual({ 'contact.name': 'required' });
  expect((await api.post('/leads', { lost_reason_id: reason })).fields).toEqual({
    lost_reason_id: 'only_of_lost_leads',
  });
  expect((await api.get('/companies')).page.data).toEqual([]);
  expect((await api.get('/leads')).page.data).toEqual([]);
  expect(await eventTypes()).toEqual([]);
});
