import { startChromium } from '@dealkeep/testing/chromium';
import { expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { looks, type Visitor, visitor } from './visitor.ts';

const { dealkeep, organization } = await startBusiness();
const chromium = await startChromium();

/** An owner who is signed in, on a wide window or a phone. */
async function owner(width: 1280 | 390): Promise<Visitor> {
  const visit = await visitor(
    chromium,
    dealkeep.origin,
    looks.find((look) => look.width === width),
  );
  await signIn(visit, organization);
  return visit;
}

/** The element that has the focus, and whether that can be seen. */
const focused = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { top, bottom, left, width, height } = element.getBoundingClientRect();
  const inside = left >= 0 && bottom > 0 && top < innerHeight;
  return { id: element.dataset.focusNumber ?? element.tagName, visible: inside && width > 0 && height > 0 && outlineStyle !== 'none' && outlineWidth !== '0px' };
})()`;

/** Numbers everything that can be used, and answers how much that is. */
const numbered = `(() => {
  const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter(
    (each) => each.tabIndex >= 0 && !each.disabled && each.type !== 'hidden' && each.checkVisibility({ contentVisibilityAuto: true }));
  all.forEach((each, number) => { each.dataset.focusNumber = String(number); });
  return all.length;
})()`;

test('the first stop leads past the navigation', async () => {
  const { page, open } = await owner(1280);
  await open('/leads');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.hash')).toBe('#content');
  expect(await page.evaluate(focused)).toMatchObject({ visible: true });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
});

test.each(['/', '/leads', '/leads/board', '/invoices/new', '/integrations/webhooks/new'])(
  'everything on %s is reached by Tab, and is seen when it has the focus',
  async (path) => {
    const { page, open } = await owner(1280);
    await open(path);
    const count = await page.evaluate<number>(numbered);
    expect(count).toBeGreaterThan(20);
    const [reached, unseen] = [new Set<string>(), [] as string[]];
    // A date has several stops of its own.
    for (let stop = 0; stop < count + 20 && reached.size < count; stop += 1) {
      await page.keyboard.press('Tab');
      const { id, visible } = await page.evaluate<{ id: string; visible: boolean }>(focused);
      if (id === 'BODY') continue;
      reached.add(id);
      if (!visible) unseen.push(await page.evaluate<string>('document.activeElement.outerHTML'));
    }
    expect([reached.size, unseen]).toEqual([count, []]);
  },
);

test('on a phone the menu opens and closes by keyboard', async () => {
  const visit = await owner(390);
  const { page } = visit;
  await visit.open('/tasks');
  expect(await page.isVisible('#navigation')).toBe(false);
  await page.focus('.menu');
  await page.keyboard.press('Enter');
  expect(await page.isVisible('#navigation')).toBe(true);
  await visit.judge('menu');
  await page.keyboard.press('Escape');
  expect(await page.isVisible('#navigation')).toBe(false);
  await page.keyboard.press('Enter');
  await page.click('#navigation a[href="/leads"]');
  await page.waitForURL('/leads');
});
