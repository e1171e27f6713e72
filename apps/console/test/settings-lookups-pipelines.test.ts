import type { EventType } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { lists, lookupOwner } from './lookup-owner.ts';
import { problemBeside, textOf } from './page-parts.ts';
import { pipelinesBy, pipelinesOf } from './pipelines.ts';

const dealkeep = await sharedDealkeep();
const save = { do: 'save' };

// The tests share an organization; each makes a pipeline of its own.
const me = await lookupOwner(dealkeep);
const { api, browser } = me;

const { pipelineOf, stagesOf, namesOf, pipeline } = pipelinesBy(me);
const leadIn = async (stage_id: string): Promise<string> =>
  (await api.post('/leads', { name: 'Ten bikes', stage_id })).data.id;
const typesOf = async (id: string): Promise<EventType[]> =>
  (await dealkeep.eventsOf(me.organization, id)).map(({ type }) => type);

describe('pipelines', () => {
  test('one is added with the usual stages, renamed, and removed when no lead is in it', async () => {
    const { id } = await pipeline('Retail');
    expect(await namesOf(id)).toEqual(['New', 'Contacted', 'Proposal sent', 'Negotiation', 'Won', 'Lost']);
    const saved = await me.step('pipelines', id, 'edit', { name: 'Shops', require_lost_reason: 'true' });
    expect(saved.location).toBe(`${lists}/pipelines/${id}?done=saved`);
    expect(await pipelineOf(id)).toMatchObject({
      name: 'Shops',
      require_lost_reason: true,
      is_default: false,
    });
    expect(textOf((await browser.get(`${lists}/pipelines/${id}/remove`)).html)).toContain('No record has it');
    expect((await me.step('pipelines', id, 'remove')).location).toBe(`${lists}/pipelines?done=removed`);
    expect(await pipelineOf(id)).toBeUndefined();
  });

  test('exactly one is the default: another takes its place, and it can be neither unset nor removed (rule lookups 7)', async () => {
    const { id } = await pipeline('Export');
    const [former] = (await pipelinesOf(me)).filter((each) => each['is_default']);
    const unset = await me.step('pipelines', former?.['id'], 'edit', { is_default: 'false' });
    expect([unset.status, problemBeside(unset.html, 'is_default')]).toEqual([422, expect.any(String)]);
    const removed = await me.step('pipelines', former?.['id'], 'remove');
    expect([removed.status, textOf(removed.html)]).toEqual([
      409,
      expect.stringContaining('default pipeline'),
    ]);

    await me.step('pipelines', id, 'edit', { is_default: 'true' });
    const defaults = (await pipelinesOf(me)).filter((each) => each['is_default']);
    expect(defaults.map((each) => each['id'])).toEqual([id]);
    expect((await api.post('/leads', { name: 'Goes there' })).data.pipeline?.id).toBe(id);
    await me.step('pipelines', former?.['id'], 'edit', { is_default: 'true' });
  });

  test('of one that leads are in, the page says how many, and they go to the stages that are chosen, with their events (rules events 7 and lookups 8)', async () => {
    const [old, target] = [await pipeline('Old'), await pipeline('Target')];
    const open = await leadIn(old.stage('Contacted'));
    const other = await leadIn(old.stage('Negotiation'));
    const won = await leadIn(old.stage('Won'));
    const asking = await browser.get(`${lists}/pipelines/${old.id}/remove`);
    expect(textOf(asking.html)).toContain('Leads: 3');
    expect(asking.html).not.toContain('name="lost"');
    expect(asking.html).not.toContain(`value="${old.stage('New')}"`);

    const action = `${lists}/pipelines/${old.id}/remove`;
    const half = await browser.submit(asking, action, { open: target.stage('New'), ...save });
    expect([half.status, problemBeside(half.html, 'won')]).toEqual([422, expect.stringContaining('(1)')]);
    expect((await api.get(`/leads/${open}`)).data.stage?.name).toBe('Contacted');

    const where = { open: target.stage('New'), won: target.stage('Won'), ...save };
    expect((await browser.submit(asking, action, where)).location).toBe(`${lists}/pipelines?done=removed`);
    expect(await pipelineOf(old.id)).toBeUndefined();
    for (const [id, stage] of [
      [open, 'New'],
      [other, 'New'],
      [won, 'Won'],
    ] as const) {
      const { data } = await api.get(`/leads/${id}`);
      expect([data.pipeline?.name, data.stage?.name]).toEqual(['Target', stage]);
    }
    expect(await typesOf(open)).toEqual(['lead.created', 'lead.stage_changed']);
    expect(await typesOf(won)).toEqual(['lead.created', 'lead.won', 'lead.stage_changed']);
  });
});

describe('stages', () => {
  test('one is added at the end, changed, moved up and down, and removed', async () => {
    const { id, path } = await pipeline('Ordered');
    const page = `${lists}/pipelines/${id}`;
    const made = await me.add(path, { name: 'Trial', kind: 'open', probability: '60', color: '#2f7a5b' });
    expect(made.location).toBe(`${page}?done=added`);
    expect(await namesOf(id)).toEqual([
      ...['New', 'Contacted', 'Proposal sent', 'Negotiation', 'Won', 'Lost'],
      'Trial',
    ]);
    const trial = (await stagesOf(id)).at(-1);
    expect(trial).toMatchObject({ kind: 'open', probability: 60, color: '#2f7a5b' });

    const shown = await browser.get(page);
    const up = () => browser.submit(shown, `${lists}/${path}/${trial?.id}/up`, {});
    expect([(await up()).location, (await up()).location]).toEqual([
      `${page}?done=moved`,
      `${page}?done=moved`,
    ]);
    // The same button, sent twice, moves once.
    expect(await namesOf(id)).toEqual([
      ...['New', 'Contacted', 'Proposal sent', 'Negotiation', 'Won'],
      ...['Trial', 'Lost'],
    ]);
    await browser.fill(page, `${lists}/${path}/${trial?.id}/down`, {});
    expect((await namesOf(id)).at(-1)).toBe('Trial');
    expect((await browser.get(page)).html).not.toContain(`${trial?.id}/down`);

    await me.step(path, trial?.id, 'edit', { name: 'Tried', kind: 'lost', probability: '0', color: '' });
    expect((await stagesOf(id)).at(-1)).toMatchObject({ name: 'Tried', kind: 'lost', color: null });
    expect((await me.step(path, trial?.id, 'remove')).location).toBe(`${page}?done=removed`);
    expect(await namesOf(id)).not.toContain('Tried');
  });

  test('leads of one that is removed go to another of its kind; lost ones keep their reason (rule lookups 8)', async () => {
    const { id, path, stage } = await pipeline('Reasons');
    await me.step('pipelines', id, 'edit', { require_lost_reason: 'true' });
    await me.add(path, { name: 'Never', kind: 'lost', probability: '0' });
    const never = (await stagesOf(id)).find(({ name }) => name === 'Never')?.id ?? '';
    const reason = String((await me.listed('/lost-reasons')).get('Price')?.['id']);
    const lead = await leadIn(stage('New'));
    await api.post(`/leads/${lead}/move`, { stage_id: stage('Lost'), lost_reason_id: reason });
    const before = (await api.get(`/leads/${lead}`)).data;

    const action = `${lists}/${path}/${stage('Lost')}/remove`;
    const asking = await browser.get(action);
    expect(asking.html).not.toContain(`value="${stage('New')}"`);
    const wrong = await browser.submit(asking, action, { lost: stage('New'), ...save });
    expect([wrong.status, problemBeside(wrong.html, 'lost')]).toEqual([422, expect.any(String)]);
    await browser.submit(asking, action, { lost: never, ...save });
    const { data } = await api.get(`/leads/${lead}`);
    expect(data).toMatchObject({ status: 'lost', lost_at: before.lost_at, lost_reason: { id: reason } });
    expect(data.stage?.name).toBe('Never');
    expect((await typesOf(lead)).slice(-2)).toEqual(['lead.lost', 'lead.stage_changed']);
  });
});
