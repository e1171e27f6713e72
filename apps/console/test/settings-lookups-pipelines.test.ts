import type { EventType } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { lists, lookupOwner } from './lookup-owner.ts';
import { problemBeside, textOf } from './page-parts.ts';

const dealkeep = await sharedDealkeep();
const { sql } = dealkeep;
const save = { do: 'save' };

// Signing in is slow on purpose, so the tests share an organization; each makes a pipeline or project of its own.
const [me, theirs] = [await lookupOwner(dealkeep), await lookupOwner(dealkeep)];
const { api, browser } = me;

interface Stage {
  readonly id: string;
  readonly name: string;
  readonly kind: 'open' | 'won' | 'lost';
}

const pipelinesOf = async ({ listed }: typeof me) => [...(await listed('/pipelines')).values()];
const pipelineOf = async (id: string) => (await pipelinesOf(me)).find((each) => each['id'] === id);
const stagesOf = async (id: string): Promise<Stage[]> => Object((await pipelineOf(id))?.['stages']);
const namesOf = async (id: string): Promise<string[]> => (await stagesOf(id)).map(({ name }) => name);

/** A pipeline with the usual stages, by their names. */
async function pipeline(name: string) {
  const id = await me.idOf('pipelines', { name });
  const stages = new Map((await stagesOf(id)).map((stage) => [stage.name, stage.id]));
  const stage = (called: string): string => stages.get(called) ?? '';
  return { id, path: `pipelines/${id}/stages`, stage };
}
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

  test('exactly one is the default: another takes its place, and it can be neither unset nor removed', async () => {
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

  test('of one that leads are in, the page says how many, and they go to the stages that are chosen, with their events', async () => {
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

  test('two of one name are refused in a pipeline, not in two', async () => {
    const [one, other] = [await pipeline('One'), await pipeline('Other')];
    await me.add(one.path, { name: 'Trial', kind: 'open', probability: '60' });
    const again = await me.add(one.path, { name: 'trial', kind: 'open', probability: '60' });
    expect([again.status, problemBeside(again.html, 'name')]).toEqual([422, expect.any(String)]);
    expect((await me.add(other.path, { name: 'Trial', kind: 'open', probability: '60' })).status).toBe(303);
  });

  test('the only open one stays, and stays open', async () => {
    const { id, path, stage } = await pipeline('Short');
    for (const name of ['Contacted', 'Proposal sent', 'Negotiation'])
      await me.step(path, stage(name), 'remove');
    const changed = await me.step(path, stage('New'), 'edit', { kind: 'won' });
    expect([changed.status, problemBeside(changed.html, 'kind')]).toEqual([
      422,
      'A pipeline needs at least one open stage.',
    ]);
    const removed = await me.step(path, stage('New'), 'remove');
    expect([removed.status, textOf(removed.html)]).toEqual([409, expect.stringContaining('only open stage')]);
    expect(await namesOf(id)).toEqual(['New', 'Won', 'Lost']);
  });

  test('the kind stays while leads stand in it, archived ones too', async () => {
    const { path, stage } = await pipeline('Kinds');
    const lead = await leadIn(stage('Contacted'));
    await api.post(`/leads/${lead}/archive`);
    const refused = await me.step(path, stage('Contacted'), 'edit', { kind: 'won' });
    expect([refused.status, problemBeside(refused.html, 'kind')]).toEqual([
      422,
      expect.stringContaining('(1)'),
    ]);
    expect((await me.step(path, stage('Contacted'), 'edit', { name: 'Called' })).status).toBe(303);
    expect((await api.get(`/leads/${lead}`)).data.stage).toMatchObject({ name: 'Called', kind: 'open' });
  });

  test('leads of one that is removed go to another of its kind; lost ones keep their reason', async () => {
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

  test('leads do not go to a stage of another organization', async () => {
    const { path, stage } = await pipeline('Nowhere');
    const lead = await leadIn(stage('Contacted'));
    const foreign = Object((await pipelinesOf(theirs))[0]?.['stages'])[0].id;
    const refused = await me.step(path, stage('Contacted'), 'remove', { open: foreign });
    expect([refused.status, problemBeside(refused.html, 'open')]).toEqual([422, expect.any(String)]);
    expect((await api.get(`/leads/${lead}`)).data.stage?.name).toBe('Contacted');
  });

  test('where leads have nowhere to go, the page says what to do', async () => {
    const [only] = await pipelinesOf(theirs);
    const won = Object(only?.['stages']).find(({ kind }: Stage) => kind === 'won').id;
    await theirs.api.post('/leads', { name: 'Won', stage_id: won });
    const path = `pipelines/${only?.['id']}/stages`;
    const asking = await theirs.browser.get(`${lists}/${path}/${won}/remove`);
    expect(textOf(asking.html)).toContain('There is no other stage of this kind');
    const refused = await theirs.step(path, won, 'remove');
    expect([refused.status, problemBeside(refused.html, 'won')]).toEqual([422, expect.any(String)]);
  });

  test('too many leads at once are refused with their number', async () => {
    const { id, path, stage } = await pipeline('Crowded');
    await sql`
      insert into leads (organization_id, id, pipeline_id, stage_id, status, stage_entered_at, created_at, updated_at)
      select ${me.organization.id}, gen_random_uuid(), ${id}, ${stage('New')}, 'open', now(), now(), now()
      from generate_series(1, 1001)`;
    const refused = await me.step(path, stage('New'), 'remove', { open: stage('Contacted') });
    expect([refused.status, textOf(refused.html)]).toEqual([409, expect.stringContaining('(1001)')]);
    expect(await namesOf(id)).toContain('New');
  });

  test('a stage is not found in another pipeline, nor that of another organization', async () => {
    const [one, other] = [await pipeline('Mine'), await pipeline('Also mine')];
    const foreign = Object((await pipelinesOf(theirs))[0]);
    for (const path of [
      `${other.path}/${one.stage('New')}/edit`,
      `${one.path}/${foreign.stages[0].id}/remove`,
      `pipelines/${foreign.id}`,
      `pipelines/${foreign.id}/stages/new`,
      `pipelines/${foreign.id}/stages/${foreign.stages[0].id}/edit`,
    ]) {
      expect((await browser.get(`${lists}/${path}`)).status, path).toBe(404);
    }
  });
});

describe('stages of projects', () => {
  /** A project with the usual stages, by their names. */
  async function project(name: string) {
    const id = await me.idOf('projects', { name });
    const read = async (): Promise<{ id: string; name: string; category: string }[]> =>
      Object([...(await me.listed('/projects')).values()].find((each) => each['id'] === id)?.['stages']);
    const stages = new Map((await read()).map((stage) => [stage.name, stage.id]));
    return { id, path: `projects/${id}/stages`, read, stage: (called: string) => stages.get(called) ?? '' };
  }

  test('are added, ordered, changed and removed, and the API shows it at once', async () => {
    const { id, path, read } = await project('Relaunch');
    expect((await read()).map(({ name }) => name)).toEqual(['To do', 'In progress', 'Done']);
    await me.add(path, { name: 'Review', category: 'in_progress' });
    const review = (await read()).at(-1)?.id;
    await browser.fill(`${lists}/projects/${id}`, `${lists}/${path}/${review}/up`, {});
    await me.step(path, review, 'edit', { name: 'Check' });
    expect((await read()).map(({ name }) => name)).toEqual(['To do', 'In progress', 'Check', 'Done']);
    await me.step(path, review, 'remove');
    expect((await read()).map(({ name }) => name)).toEqual(['To do', 'In progress', 'Done']);
  });

  test('tasks of one that is removed go where is said, or to none, and webhooks are told', async () => {
    const { path, stage } = await project('Moving');
    const task = async (stage_id: string) => (await api.post('/tasks', { title: 'Pack', stage_id })).data.id;
    const [first, second] = [await task(stage('To do')), await task(stage('Done'))];
    expect(textOf((await browser.get(`${lists}/${path}/${stage('To do')}/remove`)).html)).toContain(
      'Tasks: 1',
    );
    await me.step(path, stage('To do'), 'remove', { stage_id: stage('In progress') });
    expect((await api.get(`/tasks/${first}`)).data.stage?.name).toBe('In progress');
    expect(await typesOf(first)).toEqual(['task.created', 'task.moved']);
    await me.step(path, stage('Done'), 'remove');
    const { data } = await api.get(`/tasks/${second}`);
    expect([data.project?.name, data.stage]).toEqual(['Moving', null]);
    expect(await typesOf(second)).toEqual(['task.created', 'task.moved']);
  });

  test('tasks do not go to a stage of another project', async () => {
    const [one, other] = [await project('Near'), await project('Far')];
    const { id } = (await api.post('/tasks', { title: 'Pack', stage_id: one.stage('To do') })).data;
    const refused = await me.step(one.path, one.stage('To do'), 'remove', { stage_id: other.stage('To do') });
    expect([refused.status, problemBeside(refused.html, 'stage_id')]).toEqual([422, expect.any(String)]);
    expect((await api.get(`/tasks/${id}`)).data.stage?.name).toBe('To do');
  });
});
