import { Browser, ManualClock, startDealkeep } from '@dealkeep/testing';
import { defaultPipeline } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { problemBeside, selectedIn, textOf } from './page-parts.ts';
import { signedInUser } from './signed-in-user.ts';
import { actionIn, linkTo, newView, saveView, viewsIn } from './views-in-list.ts';

const clock = new ManualClock('2026-10-05T20:00:00.000Z');
const dealkeep = await startDealkeep({ worker: false, clock });
const organization = await dealkeep.createOrganization();
await dealkeep.sql`update organizations set time_zone = 'Europe/Bratislava' where id = ${organization.id}`;
const api = dealkeep.as(organization.key);
const owner = new Browser(dealkeep);
await owner.signIn(organization);
const save = { do: 'save' };

/** Somebody with a role, signed in. */
const person = (name: string, permissions = 'leads.view=all,tasks.view=all') =>
  signedInUser(dealkeep, organization, { name, permissions });

describe('a view that somebody saves', () => {
  test('stands above the list, is marked where the list shows it, and brings its filters and its order back', async () => {
    await api.post('/leads', { name: 'Small one', value: 10 });
    await api.post('/leads', { name: 'Large one', value: 9000 });
    const list = await owner.get('/leads?status=open&sort=-value');
    expect(viewsIn(list).current).toBeUndefined();
    const form = await owner.get(linkTo(list, 'Save this view'));
    const saved = await owner.submit(form, actionIn(form, '/views/new'), { name: 'Largest', ...save });
    expect(saved.status).toBe(303);
    const shown = await owner.get(saved.location ?? '');
    expect(textOf(shown.html)).toContain('The view is saved.');
    expect(viewsIn(shown)).toEqual({
      names: ['All', 'Mine, open', 'Closing this month', 'Largest'],
      current: 'Largest',
    });
    expect(shown.html).not.toContain('Save this view');
    // In whichever order the address has them.
    const again = await owner.get('/leads?sort=-value&status=open');
    expect(viewsIn(again).current).toBe('Largest');
    expect(again.html.indexOf('Large one')).toBeLessThan(again.html.indexOf('Small one'));
    expect(viewsIn(await owner.get('/tasks')).names).not.toContain('Largest');
  });

  test('counts once, however often its form is sent', async () => {
    const form = await owner.get(newView('lead', 'status=won'));
    const send = () => owner.submit(form, actionIn(form, '/views/new'), { name: 'Won ones', ...save });
    expect([(await send()).status, (await send()).status]).toEqual([303, 303]);
    const { names } = viewsIn(await owner.get('/leads'));
    expect(names.filter((name) => name === 'Won ones')).toHaveLength(1);
  });

  test('is renamed, takes other filters over and is removed', async () => {
    await saveView(owner, { name: 'To change', query: 'status=lost' });
    const manage = await owner.get(linkTo(await owner.get('/leads'), 'Manage views'));
    const row = manage.html.split('<tr>').find((each) => each.includes('To change')) ?? '';
    const [edit = '', remove = ''] = [...row.matchAll(/href="(\/views\/[^"]*)"/g)].map(([, path = '']) =>
      path.replaceAll('&amp;', '&'),
    );
    const renamed = await owner.fill(edit, edit, { name: 'Changed', ...save });
    expect(renamed.status).toBe(303);
    expect(viewsIn(await owner.get('/leads?status=lost')).current).toBe('Changed');

    const form = await owner.get(newView('lead', 'status=lost&sort=name'));
    const one = form.html.split('<form').find((each) => each.includes('Replace: Changed')) ?? '';
    const replaced = await owner.submit(form, actionIn({ ...form, html: one }, '/views/'), {});
    expect(replaced.status).toBe(303);
    expect(viewsIn(await owner.get('/leads?status=lost&sort=name')).current).toBe('Changed');

    await owner.fill(remove, remove, save);
    expect(viewsIn(await owner.get('/leads')).names).not.toContain('Changed');
  });

  test('needs a name of its own, and something to keep', async () => {
    await saveView(owner, { name: 'Twice', query: 'status=won&sort=name' });
    const refused = await saveView(owner, { name: 'Twice', query: 'status=won&sort=-name' });
    expect([refused.status, problemBeside(refused.html, 'name')]).toEqual([422, expect.any(String)]);
    const nameless = await saveView(owner, { name: ' ', query: 'status=won&sort=value' });
    expect(nameless.status).toBe(422);
    const nothing = await owner.get(newView('lead', ''));
    expect(textOf(nothing.html)).toContain('The list has no filter and no order of its own');
    expect((await owner.get('/views/new?kind=planet&query=status%3Dopen')).status).toBe(404);
  });
});

describe('who sees a view and who changes it', () => {
  test('what one keeps for oneself does not exist for others, owners included', async () => {
    const { browser } = await person('Eva');
    await saveView(browser, { name: 'Secret of Eva', query: 'status=open&sort=name' });
    expect(viewsIn(await browser.get('/leads')).names).toContain('Secret of Eva');
    expect(viewsIn(await owner.get('/leads')).names).not.toContain('Secret of Eva');
    const edit = await viewPath('Secret of Eva', 'edit');
    expect((await browser.get(edit)).status).toBe(200);
    expect((await owner.get(edit)).status).toBe(404);
  });

  test('what is shared is seen by all who see the list, changed by its maker and by owners', async () => {
    const [eva, adam] = [await person('Eva'), await person('Adam')];
    const stranger = await person('Stranger', 'tasks.view=all');
    await saveView(eva.browser, { name: 'For all of us', query: 'owner_id=me&sort=name', shared: 'true' });
    expect(viewsIn(await adam.browser.get('/leads')).names).toContain('For all of us');
    const [edit, remove] = [
      await viewPath('For all of us', 'edit'),
      await viewPath('For all of us', 'remove'),
    ];
    for (const path of [edit, remove]) {
      expect((await adam.browser.get(path)).status, path).toBe(403);
      const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(
        (await adam.browser.get('/leads')).html,
      )?.[1];
      const posted = await adam.browser.post(path, {
        csrf_token: csrf_token ?? '',
        name: 'Mine now',
        ...save,
      });
      expect(posted.status, path).toBe(403);
      expect((await stranger.browser.get(path)).status, path).toBe(403);
    }
    expect((await stranger.browser.get('/views?kind=lead')).status).toBe(403);
    const renamed = await owner.fill(edit, edit, { name: 'Ours', ...save });
    expect(renamed.status).toBe(303);
    expect(viewsIn(await eva.browser.get('/leads')).names).toContain('Ours');
  });

  test('a shared view that names “me” shows everybody what is their own', async () => {
    const [eva, adam] = [await person('Eva'), await person('Adam')];
    await api.post('/leads', { name: 'Lead of Eva', owner_id: eva.id });
    await api.post('/leads', { name: 'Lead of Adam', owner_id: adam.id });
    const query = 'owner_id=me&sort=-name';
    await saveView(eva.browser, { name: 'Of whoever looks', query, shared: 'true' });
    const list = await adam.browser.get(linkTo(await adam.browser.get('/leads'), 'Of whoever looks'));
    expect(list.html).toContain('Lead of Adam');
    expect(list.html).not.toContain('Lead of Eva');
  });

  test('a view is nothing of another organization', async () => {
    const other = await dealkeep.createOrganization();
    const stranger = new Browser(dealkeep);
    await stranger.signIn(other);
    expect(viewsIn(await stranger.get('/leads')).names).toEqual(['All', 'Mine, open', 'Closing this month']);
    expect((await stranger.get(await viewPath('Largest', 'edit'))).status).toBe(404);
  });
});

/** The page of a step of the view of this name. */
async function viewPath(name: string, step: string): Promise<string> {
  const [view] = await dealkeep.sql<{ id: string; kind: string }[]>`
    select id, kind from saved_views where organization_id = ${organization.id} and name = ${name}`;
  return `/views/${view?.id}/${step}?kind=${view?.kind}`;
}

describe('views that everybody has', () => {
  test('mean another day each day, in the time zone of the organization, and stay marked', async () => {
    await api.post('/tasks', { title: 'Due on the fifth', due_date: '2026-10-05' });
    const overdue = linkTo(await owner.get('/tasks'), 'Overdue');
    expect((await owner.get(overdue)).html).not.toContain('Due on the fifth');
    // Midnight in Bratislava, not yet in London.
    clock.set('2026-10-05T22:30:00.000Z');
    const shown = await owner.get(overdue);
    expect(shown.html).toContain('Due on the fifth');
    expect(viewsIn(shown).current).toBe('Overdue');
  });

  test('still mean another day each day, and whoever looks, when somebody filters further by the form', async () => {
    const next = await owner.get(linkTo(await owner.get('/tasks'), 'Next 7 days'));
    const [chips = ''] = /<ul class="chips".*?<\/ul>/s.exec(next.html) ?? [];
    expect(textOf(chips)).toMatch(/Due before: in 7 days .*Due after: yesterday /);
    const form = (html: string) => /<form class="list-filters".*?<\/form>/s.exec(html)?.[0] ?? '';
    for (const [name, value] of [
      ['due_after', 'yesterday'],
      ['due_before', 'in-7-days'],
    ] as const) {
      const select = form(next.html).split(`<select name="${name}"`)[1]?.split('</select>')[0];
      expect(select).toContain(`<option value="${value}" selected>`);
      expect(select).toContain('<option value="">—</option>');
    }
    const mine = await owner.get(linkTo(await owner.get('/tasks'), 'Mine'));
    expect(selectedIn(form(mine.html), 'assignee_id')).toBe('me');
    expect(textOf(/<ul class="chips".*?<\/ul>/s.exec(mine.html)?.[0] ?? '')).toContain(': me ');
    // Where no day that changes is asked for, a day is chosen.
    expect(form(mine.html)).toMatch(/<input name="due_before" type="date"/);
    expect(form(mine.html)).toContain('<option value="me" selected>me</option>');
    expect(form((await owner.get('/tasks')).html)).toContain('<option value="me">me</option>');
  });

  test('show the activities of today from its first minute to its last', async () => {
    for (const [name, start_at] of [
      ['Late yesterday', '2026-10-05T21:30:00.000Z'],
      ['First of today', '2026-10-05T22:00:00.000Z'],
      ['Last of today', '2026-10-06T21:59:00.000Z'],
      ['Early tomorrow', '2026-10-06T22:00:00.000Z'],
    ]) {
      await api.post('/activities', { name, start_at });
    }
    clock.set('2026-10-06T10:00:00.000Z');
    const { html } = await owner.get(linkTo(await owner.get('/activities'), 'Today'));
    expect(html).toMatch(/First of today.*Last of today/s);
    expect(html).not.toMatch(/Late yesterday|Early tomorrow/);
  });

  test('show what closes this month, on its first and its last day, too', async () => {
    for (const [name, expected_close_date] of [
      ['Closes in September', '2026-09-30'],
      ['Closes on the first', '2026-10-01'],
      ['Closes on the last', '2026-10-31'],
      ['Closes in November', '2026-11-01'],
    ]) {
      await api.post('/leads', { name, expected_close_date });
    }
    const { html } = await owner.get(linkTo(await owner.get('/leads'), 'Closing this month'));
    expect(html).toMatch(/Closes on the first.*Closes on the last/s);
    expect(html).not.toMatch(/Closes in/);
  });

  test('are exported as they are shown', async () => {
    const { html } = await owner.get(linkTo(await owner.get('/leads'), 'Closing this month'));
    const address = /href="(\/leads\/export\.csv[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(address).toContain('start-of-next-month');
    const csv = (await owner.get(address)).html;
    expect(csv).toContain('Closes on the last');
    expect(csv).not.toContain('Closes in November');
  });
});

test('a view that filters by something that was deleted says so, and how to mend it', async () => {
  const { stages } = await defaultPipeline(api);
  const page = '/settings/lists/tags/new';
  await owner.fill(page, page, { name: 'Fair', ...save });
  await saveView(owner, { name: 'From the fair', query: `tag=Fair&stage_id=${stages['New']}` });
  const view = linkTo(await owner.get('/leads'), 'From the fair');
  expect((await owner.get(view)).html).not.toContain('no longer there');
  await dealkeep.sql`delete from tags where organization_id = ${organization.id} and name = 'Fair'`;
  await dealkeep.sql`
    update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
  const shown = await owner.get(view);
  expect(textOf(shown.html)).toContain('Tag: what this view filters by is no longer there.');
  const mended = await owner.get(linkTo(shown, 'Take the filter out'));
  expect(mended.html).not.toContain('no longer there');
  expect(mended.html).toContain('Save this view');
});

test('somebody who left takes what was their own away, and leaves what they shared', async () => {
  const eva = await person('Eva who leaves');
  await saveView(eva.browser, {
    name: 'Left behind',
    query: 'sort=name&status=open&archived=true',
    shared: 'true',
  });
  await dealkeep.sql`
    update memberships set active = false where organization_id = ${organization.id} and id = ${eva.id}`;
  expect(viewsIn(await owner.get('/leads')).names).toContain('Left behind');
  const remove = await viewPath('Left behind', 'remove');
  expect((await owner.fill(remove, remove, save)).status).toBe(303);
  expect(viewsIn(await owner.get('/leads')).names).not.toContain('Left behind');
});
