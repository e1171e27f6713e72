import { randomUUID } from 'node:crypto';
import { inConsole, type Query, sharedDealkeep } from '@dealkeep/testing';
import { addProject, type Business, openBusiness, stageOf } from '@dealkeep/testing/business';
import { beforeAll, describe, expect, test } from 'vitest';
import { addUser } from '../console-edits.ts';

const dealkeep = await sharedDealkeep();

describe('filters (rules lists 5 and 8)', () => {
  let business: Business;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    business = await openBusiness(dealkeep);
    const { api, organization } = business;
    const place = { dealkeep, organization };
    const project = await addProject(place, 'Campaign', { Plan: 'to_do', Do: 'in_progress' });
    const marek = await addUser(place, 'Marek');
    const company = (await api.post('/companies', { name: 'Acme' })).data.id;
    const lead = (await api.post('/leads', { name: 'Fleet' })).data.id;
    Object.assign(ids, { project: project.id, stage: stageOf(project, 'Do'), marek, company, lead });
    const made: Record<string, string> = {};
    for (const task of [
      {
        title: 'Send 100% offer',
        priority: 'high',
        due_date: '2026-10-01',
        assignee_ids: [organization.ownerId, marek],
      },
      { title: 'Call Žaneta', due_date: '2026-10-02', project_id: project.id, company_id: company },
      { title: 'Done one', priority: 'low', stage_id: stageOf(project, 'Do'), lead_id: lead },
      { title: 'Away one', due_date: '2026-10-03', assignee_ids: [marek] },
    ]) {
      const { data } = await api.post('/tasks', task);
      made[data.title] = data.id;
    }
    await api.patch(`/tasks/${made['Done one']}`, { completed: true });
    await inConsole(dealkeep.core, organization, 'tasks.archive', { id: made['Away one'] ?? '' });
  });
  const found = async (query: Query) =>
    (await business.api.get('/tasks', { sort: 'created_at', ...query })).page.data.map(({ title }) => title);

  test.each([
    [{}, ['Send 100% offer', 'Call Žaneta', 'Done one', 'Away one']],
    [{ q: 'ONE' }, ['Done one', 'Away one']],
    [{ q: 'žaneta' }, ['Call Žaneta']],
    [{ q: '0%' }, ['Send 100% offer']],
    [{ q: '_' }, []],
    [{ q: '' }, ['Send 100% offer', 'Call Žaneta', 'Done one', 'Away one']],
    [{ completed: true }, ['Done one']],
    [{ completed: false }, ['Send 100% offer', 'Call Žaneta', 'Away one']],
    [{ archived: true }, ['Away one']],
    [{ archived: false }, ['Send 100% offer', 'Call Žaneta', 'Done one']],
    [{ priority: 'high' }, ['Send 100% offer']],
    [{ priority: 'normal' }, ['Call Žaneta', 'Away one']],
    [{ due_before: '2026-10-02' }, ['Send 100% offer']],
    [{ due_after: '2026-10-02' }, ['Away one']],
    [{ due_after: '2026-10-01', due_before: '2026-10-03' }, ['Call Žaneta']],
    [{ completed: false, archived: false, priority: 'normal' }, ['Call Žaneta']],
  ] satisfies [Query, string[]][])('%j', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  test('references', async () => {
    const of = (name: string): string => ids[name] ?? '';
    expect(await found({ assignee_id: of('marek') })).toEqual(['Send 100% offer', 'Away one']);
    expect(await found({ assignee_id: business.organization.ownerId })).toEqual(['Send 100% offer']);
    expect(await found({ company_id: of('company') })).toEqual(['Call Žaneta']);
    expect(await found({ lead_id: of('lead').toUpperCase() })).toEqual(['Done one']);
    expect(await found({ project_id: of('project') })).toEqual(['Call Žaneta', 'Done one']);
    expect(await found({ stage_id: of('stage') })).toEqual(['Done one']);
    for (const filter of ['assignee_id', 'company_id', 'lead_id', 'project_id', 'stage_id']) {
      expect(await found({ [filter]: randomUUID() })).toEqual([]);
    }
  });

  test.each([
    ['completed', 'yes'],
    ['priority', 'urgent'],
    ['due_before', '2026-02-30'],
    ['stage_id', 'x'],
    ['sort', 'priority'],
  ])('%s=%s is no value of it', async (parameter, value) => {
    const refused = await business.api.get('/tasks', { [parameter]: value });
    expect(refused.outcome).toBe('400 INVALID_PARAMETER');
    expect(refused.error.detail).toEqual({ parameter });
  });

  test('others are not supported', async () => {
    expect((await business.api.get('/tasks', { due_date: '2026-10-01' })).outcome).toBe(
      '400 UNSUPPORTED_FILTER',
    );
  });
});

describe('sorts', () => {
  let business: Business;
  beforeAll(async () => {
    business = await openBusiness(dealkeep);
    for (let index = 0; index < 12; index += 1) {
      await business.api.post('/tasks', {
        title: ['Beta', 'alpha', 'Žaba'][index % 3],
        due_date: index % 4 === 0 ? null : ['2026-12-31', '2026-01-01', '2027-06-15'][index % 3],
      });
    }
  });

  test.each(['created_at', 'updated_at', 'due_date', 'title'].flatMap((sort) => [sort, `-${sort}`]))(
    '%s: a walk in small pages holds what one page holds, in the same order',
    async (sort) => {
      const whole = await business.api.walk('/tasks', { sort, limit: 100 });
      expect(await business.api.walk('/tasks', { sort, limit: 5 })).toEqual(whole);
      expect(whole).toHaveLength(12);
    },
  );

  test('by due_date: in order, those without one last in both directions', async () => {
    const dates = async (sort: string) =>
      (await business.api.walk('/tasks', { sort, limit: 2 })).map(({ due_date }) => due_date);
    const up = await dates('due_date');
    const filled = up.filter((date) => date !== null);
    expect(filled).toHaveLength(9);
    expect(filled).toEqual(filled.toSorted());
    expect(up).toEqual([...filled, null, null, null]);
    expect(await dates('-due_date')).toEqual([...filled.toReversed(), null, null, null]);
  });

  test('by title', async () => {
    const titles = (await business.api.walk('/tasks', { sort: 'title' })).map(({ title }) => title);
    expect([...new Set(titles)]).toEqual(['alpha', 'Beta', 'Žaba']);
  });
});
