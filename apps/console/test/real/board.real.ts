import { startDealkeep } from '@dealkeep/testing';
import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn } from './business.ts';
import { type Look, looks, type Visitor, visitor } from './visitor.ts';

const dealkeep = await startDealkeep();
const chromium = await startChromium();
const wide: Look = { colours: 'light', width: 1280, language: 'en' };

/** An owner on the board of an organization that has so many leads in its first stage. */
async function onBoard(leads: number, look = wide, options: { hasTouch?: boolean } = {}) {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  for (let number = 1; number <= leads; number += 1)
    await api.post('/leads', { name: `Deal ${number}`, value: 100 });
  const visit = await visitor(chromium, dealkeep.origin, look, options);
  await signIn(visit, organization);
  await visit.open('/leads/board');
  const [pipeline] = Object((await api.get('/pipelines')).json).data;
  const stages: { id: string; name: string; kind: string }[] = pipeline.stages;
  /** What the server has in a stage, by the names of the leads. */
  const stored = async (stage: string): Promise<string[]> => {
    const id = stages.find(({ name }) => name === stage)?.id ?? '';
    const { data } = Object((await api.get(`/leads?limit=100&stage_id=${id}`)).json);
    return data.map(({ name }: { name: string }) => name);
  };
  return { ...visit, visit, api, organization, stages, stored, pipeline };
}

const column = ({ page }: Pick<Visitor, 'page'>, stage: string) =>
  page.locator(`section[aria-label="${stage}"]`);
const card = ({ page }: Pick<Visitor, 'page'>, name: string) =>
  page.locator('article', { has: page.getByText(name, { exact: true }) });
const said = ({ page }: Pick<Visitor, 'page'>) => page.locator('#toast [role=status]');

/** Takes a card with the mouse and lets it go over a column. */
async function drag(visit: Pick<Visitor, 'page'>, name: string, stage: string): Promise<void> {
  await card(visit, name).scrollIntoViewIfNeeded();
  const [from, to] = [
    await card(visit, name).boundingBox(),
    await column(visit, stage).locator('.stage').boundingBox(),
  ];
  if (!from || !to) throw new Error(`${name} or ${stage} cannot be seen`);
  const { mouse } = visit.page;
  await mouse.move(from.x + 20, from.y + from.height / 2);
  await mouse.down();
  await mouse.move(from.x + 40, from.y + from.height / 2, { steps: 3 });
  await mouse.move(to.x + to.width / 2, to.y + 40, { steps: 8 });
  // The card follows the pointer a moment later.
  await column(visit, stage).locator('.is-place', { hasText: name }).waitFor();
  await mouse.up();
}

test('a long word of a name stands in one line where the card is wide enough for it', async () => {
  const board = await onBoard(0);
  await board.api.post('/leads', { name: 'Office refurbishment' });
  await board.page.setViewportSize({ width: 1060, height: 800 });
  await board.visit.open('/leads/board');
  const lines = await board.page.evaluate<number[]>(`(() => {
    const name = document.querySelector('.lead-card h3 a').firstChild;
    const linesOf = (from, to) => {
      const range = document.createRange();
      range.setStart(name, from);
      range.setEnd(name, to);
      return range.getClientRects().length;
    };
    return [linesOf(0, 6), linesOf(7, 20)];
  })()`);
  expect(lines).toEqual([1, 1]);
});

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  test('the board, the menu of a card, the question of a loss and what is said are accessible and fit', async () => {
    const board = await onBoard(12, look);
    const { page, judge } = board;
    await judge('board');
    await card(board, 'Deal 12').locator('.card-menu').click();
    await expect.poll(() => page.locator('#stage-menu').isVisible()).toBe(true);
    await judge('board-menu');
    await page.locator('#stage-menu button', { hasText: 'Lost' }).click();
    await expect.poll(() => page.locator('#why-lost').isVisible()).toBe(true);
    await judge('board-why-lost');
    await page.selectOption('#lost-reason', { index: 1 });
    await page.click('#why-lost [value=move]');
    await expect.poll(() => said(board).textContent()).toContain('Deal 12');
    await judge('board-moved');
    await expect.poll(() => board.stored('Lost')).toEqual(['Deal 12']);
  });
});

test('ten leads are moved by ten drags, and the totals follow', async () => {
  const board = await onBoard(10);
  for (let number = 10; number >= 1; number -= 1) await drag(board, `Deal ${number}`, 'Contacted');
  await expect.poll(() => board.stored('Contacted')).toHaveLength(10);
  await expect.poll(() => column(board, 'Contacted').textContent()).toContain('10 · €1,000.00');
  expect(await column(board, 'New').textContent()).toContain('0 · €0.00');
});

test('ten leads are moved by at most thirty keys, each told to who cannot see it', async () => {
  const board = await onBoard(10);
  const { page } = board;
  await card(board, 'Deal 10').locator('h3 a').focus();
  let keys = 0;
  const press = async (key: string): Promise<void> => {
    keys += 1;
    await page.keyboard.press(key);
  };
  for (let number = 10; number >= 1; number -= 1) {
    await press('Shift+ArrowRight');
    await expect.poll(() => said(board).textContent()).toBe(`Deal ${number}: moved to Contacted.`);
    if (number > 1) await press('ArrowLeft');
  }
  expect(keys).toBeLessThanOrEqual(30);
  await expect.poll(() => board.stored('Contacted')).toHaveLength(10);
});

test('a card stays where it was dropped when the page is loaded anew, and comes back by Undo', async () => {
  const board = await onBoard(2);
  const { page } = board;
  await drag(board, 'Deal 1', 'Won');
  await expect.poll(() => said(board).textContent()).toBe('Deal 1: moved to Won.');
  await page.reload();
  expect(await column(board, 'Won').textContent()).toContain('Deal 1');
  await drag(board, 'Deal 2', 'Won');
  await expect.poll(() => said(board).textContent()).toBe('Deal 2: moved to Won.');
  await page.click('[data-undo]');
  await expect.poll(() => board.stored('New')).toEqual(['Deal 2']);
  await expect.poll(() => column(board, 'New').textContent()).toContain('Deal 2');
});

test('who drops a card that somebody else moved meanwhile is told, and sees it there', async () => {
  const board = await onBoard(1);
  const [lead] = Object((await board.api.get('/leads')).json).data;
  const negotiation = board.stages.find(({ name }) => name === 'Negotiation')?.id;
  await board.api.post(`/leads/${lead.id}/move`, { stage_id: negotiation });
  await drag(board, 'Deal 1', 'Won');
  await expect.poll(() => said(board).textContent()).toContain('somebody moved it to Negotiation meanwhile');
  expect(await column(board, 'Negotiation').textContent()).toContain('Deal 1');
  expect(await board.stored('Won')).toEqual([]);
});

test('a loss that is not explained is none: the card is back where it was', async () => {
  const board = await onBoard(3);
  await drag(board, 'Deal 2', 'Lost');
  await board.page.locator('#why-lost').getByText('Cancel').click();
  const names = () => column(board, 'New').locator('h3').allTextContents();
  await expect.poll(names).toEqual(['Deal 3', 'Deal 2', 'Deal 1']);
  expect(await board.stored('Lost')).toEqual([]);
});

test('a card comes back when the server cannot be reached, and that is said', async () => {
  const board = await onBoard(1);
  await board.page.route('**/move', (route) => route.abort());
  await drag(board, 'Deal 1', 'Won');
  await expect.poll(() => said(board).textContent()).toContain('did not answer');
  expect(await column(board, 'New').textContent()).toContain('Deal 1');
});

test('a click on a card still opens the lead, and further cards come below', async () => {
  const board = await onBoard(13);
  const { page } = board;
  await column(board, 'New').locator('[data-more]').click();
  await expect.poll(() => column(board, 'New').locator('article').count()).toBe(13);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Deal 3');
  await drag(board, 'Deal 3', 'Won');
  await expect.poll(() => board.stored('Won')).toEqual(['Deal 3']);
  await card(board, 'Deal 13').locator('h3 a').click();
  await page.waitForURL(/\/leads\/[0-9a-f-]{36}$/);
});

test('on a phone one column stands in the window, and a card moves by touch', async () => {
  const board = await onBoard(2, { colours: 'light', width: 390, language: 'en' }, { hasTouch: true });
  const { page, context } = board;
  const box = await column(board, 'New').boundingBox();
  expect(box && box.width > 300 && box.width < 390).toBe(true);
  const touch = await context.newCDPSession(page);
  const at = await card(board, 'Deal 2').boundingBox();
  if (!at) throw new Error('The card cannot be seen');
  const send = (type: string, x: number, y: number) =>
    touch.send(
      'Input.dispatchTouchEvent' as never,
      {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
      } as never,
    );
  await send('touchStart', at.x + 20, at.y + 10);
  await page.locator('.sortable-chosen').waitFor();
  for (const x of [100, 200, 300, 375, 380, 382]) await send('touchMove', x, at.y + 60);
  // The board goes on by itself while a card is held at its edge.
  await expect
    .poll(async () => {
      await send('touchMove', 381 + Math.random(), at.y + 60);
      return (await column(board, 'Contacted').boundingBox())?.x ?? 1000;
    })
    .toBeLessThan(200);
  await send('touchMove', 200, at.y + 60);
  await send('touchMove', 202, at.y + 62);
  await send('touchEnd', 0, 0);
  await expect.poll(async () => (await board.stored('New')).length).toBe(1);
});

test('the scripts of the board are at most 30 kB on their way', async () => {
  const board = await onBoard(0);
  const scripts = await board.page
    .locator('script[src]')
    .evaluateAll((all) => all.map((each) => Reflect.get(each, 'src')));
  const sizes = await Promise.all(
    scripts.map(async (address) => {
      const { headers } = await fetch(address, { headers: { 'Accept-Encoding': 'gzip' }, method: 'HEAD' });
      return Number(headers.get('content-length'));
    }),
  );
  expect(scripts.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, each) => sum + each, 0)).toBeLessThan(30_000);
});
