import { Browser, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { textOf } from './page-parts.ts';

const dealkeep = await sharedDealkeep();

/** An organization with its stages by their kinds, its API, and an owner who has the board open. */
async function boardOfOwner() {
  const organization = await dealkeep.createOrganization();
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  const api = dealkeep.as(organization.key);
  const [pipeline] = Object((await api.get('/pipelines')).json).data;
  const stage = (kind: string, at = 0): { id: string; name: string } =>
    pipeline.stages.filter((each: { kind: string }) => each.kind === kind)[at];
  const make = async (lead: object): Promise<string> =>
    (await api.post('/leads', { dedupe: 'none', ...lead })).data.id;
  const stageOf = async (id: string): Promise<string> =>
    (await api.get(`/leads/${id}`)).data.stage?.name ?? '';
  return { organization, browser, api, pipeline, stage, make, stageOf };
}

const columnIn = (html: string, name: string): string =>
  (html.split(`<section aria-label="${name}">`)[1] ?? '').split('</section>')[0] ?? '';

/** Moves a card as the script of the board does. */
async function moveBy(browser: Browser, id: string, fields: Readonly<Record<string, string>>) {
  const { html } = await browser.get('/leads/board');
  const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? '';
  const answer = await browser.post(
    `/leads/${id}/move`,
    { csrf_token, board: '', ...fields },
    { Accept: 'application/json' },
  );
  return { status: answer.status, ...JSON.parse(answer.html) };
}

test('a stage shows its ten leads changed last, counts all, and brings further ones to where all are', async () => {
  const { browser, make } = await boardOfOwner();
  for (let number = 1; number <= 11; number += 1) await make({ name: `Lead no. ${number}.`, value: 10 });
  const { html } = await browser.get('/leads/board');
  const shown = columnIn(html, 'New');
  expect(shown.match(/<article/g)).toHaveLength(10);
  expect(textOf(shown)).toContain('11 · €110.00');
  expect(shown).toContain('Lead no. 11.');
  expect(shown).not.toContain('Lead no. 1.');
  const linked = (name: string): string =>
    new RegExp(` ${name}="([^"]*)"[^>]*>All of this stage|${name}="([^"]*cursor[^"]*)"`)
      .exec(shown)
      ?.slice(1)
      .find((each) => each !== undefined)
      ?.replaceAll('&amp;', '&') ?? '';
  const more = await browser.get(linked('data-more'));
  expect(more.html).toContain('Lead no. 1.');
  expect(more.html.match(/<article/g)).toHaveLength(1);
  expect(more.html).not.toContain('<html');
  const all = /<a href="([^"]*)" data-more/.exec(shown)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await browser.get(all)).html).toContain('Lead no. 1.');
});

test('a card says company, value, owner, when it is to close and that it is overdue', async () => {
  const { browser, make, organization } = await boardOfOwner();
  await make({
    name: 'Old promise',
    value: 1200,
    company: { name: 'Tatra Bikes s.r.o.' },
    owner_id: organization.ownerId,
    expected_close_date: '2020-02-01',
  });
  await make({ name: 'New promise', expected_close_date: '2090-02-01' });
  const cards = columnIn((await browser.get('/leads/board')).html, 'New')
    .split('<article')
    .map(textOf);
  const old = cards.find((each) => each.includes('Old promise')) ?? '';
  for (const said of ['Tatra Bikes s.r.o.', '€1,200.00', 'Overdue: 1 Feb', 'Owner: Jana Horváthová', 'JH'])
    expect(old).toContain(said);
  expect(cards.find((each) => each.includes('New promise'))).not.toContain('Overdue');
});

test('a board is narrowed to own leads and to a part of the name, and its totals with it', async () => {
  const { browser, make, organization } = await boardOfOwner();
  await make({ name: 'Own bicycles', value: 5, owner_id: organization.ownerId });
  await make({ name: 'Own chairs', value: 7, owner_id: organization.ownerId });
  await make({ name: 'Bicycles of nobody', value: 11 });
  const totalOf = async (query: string) =>
    textOf(columnIn((await browser.get(`/leads/board?${query}`)).html, 'New'));
  expect(await totalOf('')).toContain('3 · €23.00');
  expect(await totalOf('owner=mine')).toContain('2 · €12.00');
  expect(await totalOf('q=bicycles')).toContain('2 · €16.00');
  const both = await totalOf('owner=mine&q=bicycles');
  expect(both).toContain('1 · €5.00');
  expect(both).not.toContain('chairs');
});

test('a moved card is answered with where it stands, the totals, and what takes it back', async () => {
  const { browser, make, stage, stageOf, organization } = await boardOfOwner();
  const id = await make({ name: 'Website', value: 100 });
  const [first, won] = [stage('open'), stage('won')];
  const moved = await moveBy(browser, id, { from: first.id, stage_id: won.id });
  expect(moved).toMatchObject({
    status: 200,
    said: `Website: moved to ${won.name}.`,
    stage_id: won.id,
    totals: { [first.id]: '0 · €0.00', [won.id]: '1 · €100.00' },
    undo: { from: won.id, stage_id: first.id },
  });
  expect(moved.card).toContain('<article');
  expect((await moveBy(browser, id, moved.undo)).stage_id).toBe(first.id);
  expect(await stageOf(id)).toBe(first.name);
  const types = (await dealkeep.eventsOf(organization, id)).map(({ type }) => type);
  expect(types).toEqual(['lead.created', 'lead.stage_changed', 'lead.won', 'lead.stage_changed']);
});

test('who moves a card that somebody else moved meanwhile is told, and it stays where that one put it', async () => {
  const { browser, make, stage, stageOf, api } = await boardOfOwner();
  const id = await make({ name: 'Wanted by two' });
  const [first, second, won] = [stage('open'), stage('open', 1), stage('won')];
  await api.post(`/leads/${id}/move`, { stage_id: second.id });
  const refused = await moveBy(browser, id, { from: first.id, stage_id: won.id });
  expect([refused.status, refused.stage_id, refused.undo]).toEqual([409, second.id, undefined]);
  expect(refused.said).toContain(`somebody moved it to ${second.name} meanwhile`);
  expect(await stageOf(id)).toBe(second.name);
});

test('what else somebody changed meanwhile does not keep a card from moving', async () => {
  const { browser, make, stage, api } = await boardOfOwner();
  const id = await make({ name: 'With a note' });
  await api.patch(`/leads/${id}`, { note: 'Called back.' });
  expect((await moveBy(browser, id, { from: stage('open').id, stage_id: stage('won').id })).status).toBe(200);
});

test('a card is lost only with the reason that its pipeline asks for, and taking that back keeps the reason', async () => {
  const { browser, make, stage, stageOf, api, pipeline, organization } = await boardOfOwner();
  const id = await make({ name: 'Lost one' });
  await dealkeep.sql`update pipelines set require_lost_reason = true where id = ${pipeline.id}`;
  await dealkeep.sql`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
  const [first, lost] = [stage('open'), stage('lost')];
  const { html } = await browser.get('/leads/board');
  expect(html).toMatch(/<select id="lost-reason" name="lost_reason_id" required>/);
  const reason = /<select id="lost-reason".*?<option value="([0-9a-f-]{36})"/s.exec(html)?.[1] ?? '';
  const move = { from: first.id, stage_id: lost.id };
  const refused = await moveBy(browser, id, move);
  expect([refused.status, refused.stage_id]).toEqual([422, first.id]);
  expect(refused.said).toMatch(/^Lost one stays where it was\. ./);
  expect(await stageOf(id)).toBe(first.name);
  await moveBy(browser, id, { ...move, lost_reason_id: reason, lost_note: 'Too dear' });
  const back = await moveBy(browser, id, { from: lost.id, stage_id: first.id });
  expect(back.undo).toMatchObject({ lost_reason_id: reason, lost_note: 'Too dear' });
  await moveBy(browser, id, back.undo);
  expect((await api.get(`/leads/${id}`)).data.lost_reason?.id).toBe(reason);
});

test('a lead that is gone, and one of another organization, are no longer on the board', async () => {
  const { browser, make, stage, api } = await boardOfOwner();
  const stranger = await boardOfOwner();
  const [archived, strange] = [await make({ name: 'Put away' }), await stranger.make({ name: 'Of others' })];
  await api.post(`/leads/${archived}/archive`, {});
  const move = { from: stage('open').id, stage_id: stage('won').id };
  const answers = [await moveBy(browser, archived, move), await moveBy(browser, strange, move)];
  expect(answers.map(({ status, stage_id }) => [status, stage_id])).toEqual([
    [409, undefined],
    [404, undefined],
  ]);
  expect(await stranger.stageOf(strange)).toBe(stranger.stage('open').name);
});

test('a move without the token of the session is refused', async () => {
  const { browser, make, stage, stageOf } = await boardOfOwner();
  const id = await make({ name: 'Guarded' });
  const fields = { csrf_token: 'wrong', from: stage('open').id, stage_id: stage('won').id };
  const refused = await browser.post(`/leads/${id}/move`, fields, { Accept: 'application/json' });
  expect(refused.status).toBe(403);
  expect(await stageOf(id)).toBe(stage('open').name);
});
