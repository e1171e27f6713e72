import { Browser, sharedDealkeep } from '@dealkeep/testing';
import { defaultPipeline } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { answer, press } from './bulk-bar.ts';
import { problemBeside, textOf } from './page-parts.ts';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const api = dealkeep.as(organization.key);
const owner = new Browser(dealkeep);
await owner.signIn(organization);

const typesOf = async (id: string) => (await dealkeep.eventsOf(organization, id)).map(({ type }) => type);
const made = async (path: string, bodies: readonly object[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const body of bodies) ids.push(String(Object((await api.post(path, body)).json).data.id));
  return ids;
};

describe('what is selected in a list', () => {
  test('tasks are completed at once, each with its event, however often the form is sent (rule events 4)', async () => {
    const ids = await made('/tasks', [{ title: 'One' }, { title: 'Two' }]);
    const [left = ''] = await made('/tasks', [{ title: 'Not ticked' }]);
    const page = await owner.get('/tasks');
    const html = page.html.replace('/tasks/bulk/export', '/tasks/bulk/complete');
    const send = () => owner.submit({ ...page, html }, '/tasks/bulk/complete', { record: ids });
    const [first, second] = [await send(), await send()];
    expect([first.location, second.location]).toEqual(Array(2).fill('/tasks?done=bulk-complete&count=2'));
    expect(textOf((await owner.get(first.location ?? '')).html)).toContain('Complete: 2 done.');
    for (const id of ids) expect(await typesOf(id)).toEqual(['task.created', 'task.completed']);
    expect(await typesOf(left)).toEqual(['task.created']);
    // The same page, gone back to, with another selection.
    await owner.submit({ ...page, html }, '/tasks/bulk/complete', { record: [left] });
    expect(await typesOf(left)).toEqual(['task.created', 'task.completed']);
  });

  test('leads get another owner; what is asked for is named, and nothing is done before it is answered', async () => {
    const ids = await made('/leads', [{ name: 'Lead to give' }, { name: 'Another to give' }]);
    const asking = await press(owner, '/leads', 'assign', { record: ids });
    expect(textOf(asking.html)).toMatch(/Assign: 2 selected.*Lead to give/);
    const unanswered = await answer(owner, asking, { owner_id: '' });
    expect([unanswered.status, problemBeside(unanswered.html, 'owner_id')]).toEqual([
      422,
      expect.any(String),
    ]);
    for (const id of ids) expect(await typesOf(id)).toEqual(['lead.created']);
    const done = await answer(owner, asking, { owner_id: organization.ownerId });
    expect(done.location).toBe('/leads?done=bulk-assign&count=2');
    for (const id of ids) {
      expect((await api.get(`/leads/${id}`)).data.owner?.id).toBe(organization.ownerId);
      expect(await typesOf(id)).toEqual(['lead.created', 'lead.updated']);
    }
  });

  test('tags are added to what they have, and taken out again', async () => {
    for (const name of ['Fair', 'Web']) await api.post('/companies', { name: `Makes ${name}`, tags: [name] });
    const ids = await made('/companies', [{ name: 'Tagged A', tags: ['Web'] }, { name: 'Tagged B' }]);
    const tagsOf = async () =>
      Promise.all(ids.map(async (id) => (await api.get(`/companies/${id}`)).data.tags.toSorted()));
    const adding = await press(owner, '/companies', 'tag', { record: ids });
    await answer(owner, adding, { add_tags: ['Fair'] });
    expect(await tagsOf()).toEqual([['Fair', 'Web'], ['Fair']]);
    const removing = await press(owner, '/companies', 'untag', { record: ids });
    await answer(owner, removing, { remove_tags: ['Fair', 'Web'] });
    expect(await tagsOf()).toEqual([[], []]);
  });

  test('what is refused undoes only itself, and is told by its name with the reason', async () => {
    const { stages } = await defaultPipeline(api);
    const ids = await made('/leads', [
      { name: 'Moves on' },
      { name: 'Archived before' },
      { name: 'Moves, too' },
    ]);
    const [moves = '', archived = '', other = ''] = ids;
    await api.post(`/leads/${archived}/archive`, {});
    const gone = crypto.randomUUID();
    const asking = await press(owner, '/leads', 'move', { record: [...ids, gone] });
    const done = await answer(owner, asking, { stage_id: String(stages['Won']) });
    const said = textOf(done.html);
    expect(said).toContain('Move: 2 done, 2 not');
    expect(said).toMatch(/Archived before.*archived and cannot be changed.*No longer there/);
    expect(said).not.toContain('Moves on');
    for (const id of [moves, other]) expect((await api.get(`/leads/${id}`)).data.status).toBe('won');
    expect(await typesOf(archived)).toEqual(['lead.created', 'lead.archived']);
  });

  test('leads are archived only after a page has asked', async () => {
    const ids = await made('/leads', [{ name: 'To put away' }]);
    const asking = await press(owner, '/leads?q=put', 'archive', { record: ids });
    expect([asking.status, textOf(asking.html)]).toEqual([200, expect.stringContaining('To put away')]);
    expect(await typesOf(ids[0] ?? '')).toEqual(['lead.created']);
    const done = await answer(owner, asking, {});
    expect(done.location).toBe('/leads?q=put&done=bulk-archive&count=1');
    expect(await typesOf(ids[0] ?? '')).toEqual(['lead.created', 'lead.archived']);
  });

  test('is exported, and nothing else, and the audit log tells of it', async () => {
    const [company_id] = await made('/companies', [{ name: 'Of contacts' }]);
    const people = await made('/contacts', [
      { name: 'Exported one', company_id },
      { name: 'Left out', company_id },
    ]);
    const csv = await press(owner, '/contacts', 'export', { record: [people[0] ?? ''] });
    expect(csv.headers.get('content-disposition')).toMatch(/attachment; filename="contacts-/);
    expect(csv.html).toContain('Exported one');
    expect(csv.html).not.toContain('Left out');
    const noted = await dealkeep.sql`
      select from audit_entries
      where organization_id = ${organization.id} and operation = 'lists.export' and resource = 'contact'`;
    expect(noted).toHaveLength(1);
  });

  test('nothing selected is said so, and does nothing', async () => {
    const nothing = await press(owner, '/tasks', 'complete', {});
    expect([nothing.status, textOf(nothing.html)]).toEqual([
      422,
      expect.stringContaining('Nothing is selected'),
    ]);
  });
});

describe('who may do it', () => {
  const person = (permissions: string) => signedInUser(dealkeep, organization, { permissions });

  test('a role that only sees is offered the export alone, and is refused the rest', async () => {
    const { browser } = await person('leads.view=all');
    const [id = ''] = await made('/leads', [{ name: 'Only seen' }]);
    const list = await browser.get('/leads');
    expect(list.html).toContain('/leads/bulk/export');
    expect(list.html).not.toContain('/leads/bulk/archive');
    expect((await press(browser, '/leads', 'archive', { record: [id], do: 'save' })).status).toBe(404);
    expect(await typesOf(id)).toEqual(['lead.created']);
  });

  test('for a role of assigned records, others do not exist', async () => {
    const { browser, id: eva } = await person(
      'leads.view=assigned,leads.edit=assigned,leads.create=assigned',
    );
    const [own = '', other = ''] = await made('/leads', [
      { name: 'Own', owner_id: eva },
      { name: 'Of another' },
    ]);
    const asking = await press(browser, '/leads', 'archive', { record: [own, other] });
    expect(asking.html).not.toContain('Of another');
    const done = await answer(browser, asking, {});
    const said = textOf(done.html);
    expect(said).toContain('Archive: 1 done, 1 not');
    expect(said).toContain('No longer there');
    expect(await typesOf(own)).toEqual(['lead.created', 'lead.archived']);
    expect(await typesOf(other)).toEqual(['lead.created']);
  });

  test('nothing of another organization is changed', async () => {
    const stranger = await dealkeep.createOrganization();
    const browser = new Browser(dealkeep);
    await browser.signIn(stranger);
    await dealkeep.as(stranger.key).post('/tasks', { title: 'Their own' });
    const [id = ''] = await made('/tasks', [{ title: 'Not theirs' }]);
    const done = await press(browser, '/tasks', 'complete', { record: [id] });
    expect(textOf(done.html)).toContain('Complete: 0 done, 1 not');
    expect(await typesOf(id)).toEqual(['task.created']);
  });

  test('a form without its token is refused', async () => {
    const [id = ''] = await made('/tasks', [{ title: 'Forged' }]);
    const refused = await owner.post('/tasks/bulk/complete', { record: id, do: 'begin' });
    expect(refused.status).toBe(403);
    expect(await typesOf(id)).toEqual(['task.created']);
  });
});
