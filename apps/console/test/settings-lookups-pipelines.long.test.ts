import type { EventType } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { lists, lookupOwner } from './lookup-owner.ts';
import { problemBeside, textOf } from './page-parts.ts';
import { pipelinesBy, pipelinesOf, type Stage } from './pipelines.ts';

const dealkeep = await sharedDealkeep();
const { sql } = dealkeep;

// The tests share an organization; each makes a pipeline or project of its own.
const [me, theirs] = [await lookupOwner(dealkeep), await lookupOwner(dealkeep)];
const { api, browser } = me;

const { namesOf, pipeline } = pipelinesBy(me);
const leadIn = async (stage_id: string): Promise<string> =>
  (await api.post('/leads', { name: 'Ten bikes', stage_id })).data.id;
const typesOf = async (id: string): Promise<EventType[]> =>
  (await dealkeep.eventsOf(me.organization, id)).map(({ type }) => type);

describe('stages', () => {
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
