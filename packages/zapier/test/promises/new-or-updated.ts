import { expect, test } from 'vitest';
import type { Output, Zap } from '../platform/zap.ts';
import { unique, type World } from './world.ts';

type Values = Readonly<Record<string, unknown>>;

async function turnedOn(world: World, record: string, input: Values = {}): Promise<Zap> {
  const zap = world.zap(`${record}_created_or_updated`, input);
  await zap.turnOn();
  return zap;
}

/** A Zap that keeps something else in step with the records of a kind. */
export function newOrUpdatedPromises(world: World): void {
  const on = (record: string, input: Values = {}) => turnedOn(world, record, input);
  const send = (method: string, path: string, body: Values) => world.ask(method, path, body);
  const hookOf = async (zap: Zap) => (await world.hooks()).find((hook) => hook.target_url === zap.targetUrl);

  /** What the deliveries start, one list for each of them, up to the one about a record that ends it. */
  async function runsUntil(zap: Zap, last: Values): Promise<Output[][]> {
    const runs: Output[][] = [];
    for (;;) {
      const delivery = await zap.delivery();
      if (JSON.parse(delivery.content).data.id === last['id']) return runs;
      runs.push(await zap.runs(delivery));
    }
  }

  test('of a lead runs once for a request that changes fields and moves it, and tells of both', async () => {
    const zap = await on('lead');
    const lead = await world.newLead({ pipeline_id: world.pipeline.id, stage_id: world.stage('open').id });
    const [before, after] = [world.stage('open'), world.stage('open', 1)];
    await send('PATCH', `/leads/${lead['id']}`, { value: 700, stage_id: after.id });
    await send('PATCH', `/leads/${lead['id']}`, { value: 800 });
    await send('POST', `/leads/${lead['id']}/move`, { stage_id: world.stage('won').id });
    const runs = await runsUntil(zap, await world.newLead());
    expect(runs.flat()).toMatchObject([
      { event_type: 'lead.created' },
      {
        value: 700,
        stage: { id: after.id },
        changed_fields: expect.arrayContaining(['value', 'stage']),
        previous: { value: null, stage: { id: before.id, name: before.name } },
      },
      { value: 800, changed_fields: ['value'], previous: { value: 700, stage: { id: null } } },
      { stage: { kind: 'won' }, status: 'won', previous: { status: 'open', stage: { id: after.id } } },
    ]);
    expect(runs.flat()).toHaveLength(4);
    await zap.turnOff();
  });

  test('that watches fields is sent every new record, and of changes those of these fields alone', async () => {
    const zap = await on('company', { fields_to_watch: ['phone'] });
    const company = await send('POST', '/companies', { name: unique('Firm') });
    await send('PATCH', `/companies/${company['id']}`, { note: 'Not watched' });
    await send('PATCH', `/companies/${company['id']}`, { phone: '+421 900 000 001' });
    const runs = await runsUntil(zap, await send('POST', '/companies', { name: unique('Last') }));
    expect(runs).toMatchObject([[{ event_type: 'company.created' }], [{ changed_fields: ['phone'] }]]);
    await zap.turnOff();
  });

  test.each<[string, string[], Values, string[]]>([
    [
      'the stage',
      ['stage'],
      { events: ['lead.created', 'lead.stage_changed'] },
      ['lead.created', 'lead.stage_changed', 'lead.stage_changed'],
    ],
    [
      'the value',
      ['value'],
      { events: ['lead.created', 'lead.updated'], changed_fields: ['value'] },
      ['lead.created', 'lead.updated', 'lead.updated'],
    ],
    [
      'both',
      ['value', 'stage'],
      { events: ['lead.created', 'lead.updated', 'lead.stage_changed'], changed_fields: ['value'] },
      ['lead.created', 'lead.updated', 'lead.stage_changed', 'lead.stage_changed'],
    ],
  ])('of a lead that watches %s runs once for each change of it', async (_, watched, asked, expected) => {
    const zap = await on('lead', { fields_to_watch: watched });
    expect(await hookOf(zap)).toMatchObject(asked);
    const lead = await world.newLead({ pipeline_id: world.pipeline.id, stage_id: world.stage('open').id });
    const change = (body: Values) => send('PATCH', `/leads/${lead['id']}`, body);
    await change({ note: 'Not watched' });
    await change({ value: 1 });
    await change({ value: 2, stage_id: world.stage('open', 1).id });
    await change({ stage_id: world.stage('open').id });
    const runs = await runsUntil(zap, await world.newLead());
    expect(runs.flat().map(({ event_type: type }) => type)).toEqual(expected);
    await zap.turnOff();
  });
}

/** The same of every kind of record that can be created and updated. */
export function eachNewOrUpdatedPromises(world: World): void {
  const on = (record: string) => turnedOn(world, record);
  const send = (method: string, path: string, body: Values) => world.ask(method, path, body);

  test.each<[string, () => Promise<{ path: string; body: Values }>]>([
    ['company', async () => ({ path: '/companies', body: { name: unique('Firm') } })],
    [
      'contact',
      async () => {
        const company = await send('POST', '/companies', { name: unique('Firm') });
        return { path: '/contacts', body: { company_id: company['id'], name: 'Eva' } };
      },
    ],
    [
      'client',
      async () => {
        const company = await send('POST', '/companies', { name: unique('Firm') });
        return { path: '/clients', body: { company_id: company['id'] } };
      },
    ],
    ['lead', async () => ({ path: '/leads', body: { name: unique('Bikes') } })],
  ])(
    'of a %s runs once for the new one and once for its change, which tells what was before',
    async (record, prepare) => {
      const { path, body } = await prepare();
      const zap = await on(record);
      const made = await send('POST', path, { ...body, note: 'First' });
      expect(await zap.runs(await zap.delivery())).toMatchObject([
        { id: made['id'], event_type: `${record}.created`, changed_fields: [], previous: { note: null } },
      ]);
      await send('PATCH', `${path}/${made['id']}`, { note: 'Second' });
      expect(await zap.runs(await zap.delivery())).toMatchObject([
        {
          id: made['id'],
          event_type: `${record}.updated`,
          changed_fields: ['note'],
          previous: { note: 'First' },
        },
      ]);
      await zap.turnOff();
    },
  );
}
