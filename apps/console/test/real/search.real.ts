import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { looks, visitor } from './visitor.ts';

const { dealkeep, organization } = await startBusiness();
const chromium = await startChromium();
const api = dealkeep.as(organization.key);
// What was changed last comes first among equals.
await api.post('/tasks', { title: 'Žltý návrh' });
const company = (
  await api.post('/companies', { name: 'Žltý kôň s.r.o.', registration_id: '36123456', city: 'Košice' })
).data;
await api.post('/contacts', { company_id: company.id, name: 'Ján Žltý', email: 'jan@zlty.example' });
await api.post('/clients', { company_id: company.id, reference_code: 'K-77' });
await api.post('/leads', {
  name: 'Predaj bicyklov pre celú flotilu predajcov, žltý náter a Donaudampfschifffahrtselektrizitäten'.repeat(
    2,
  ),
  company_id: company.id,
});

/** What of the results lies beyond the right end of their card. */
const cutOff = `(() => {
  const { right } = document.querySelector('main table').parentElement.getBoundingClientRect();
  return [...document.querySelectorAll('main tbody :is(a, span)')]
    .filter((each) => each.getBoundingClientRect().right > right).map((each) => each.textContent);
})()`;

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  test('what is typed is found among all kinds, narrowed to one, and opened', async () => {
    const visit = await visitor(chromium, dealkeep.origin, look);
    const { page } = visit;
    await signIn(visit, organization);
    await visit.open('/search');
    await visit.judge('search-nothing-typed');

    await page.fill('#search', 'zlty');
    await page.press('#search', 'Enter');
    await page.waitForURL('/search?q=zlty');
    expect(await page.textContent('main tbody tr:first-child')).toContain('Žltý kôň s.r.o.');
    expect(await page.inputValue('#search')).toBe('zlty');
    await visit.judge('search-found');
    expect(await page.evaluate(cutOff), 'however long a name is, no line of a result is cut off').toEqual([]);

    await page.click('main a[href*="types=task"]');
    await page.waitForURL(/types=task/);
    expect(await page.locator('main tbody tr').count()).toBe(1);
    await visit.judge('search-one-kind');
    await page.click('main tbody a');
    await page.waitForURL(/\/tasks\//);

    await page.fill('#search', 'nothing has these words');
    await page.press('#search', 'Enter');
    await page.waitForURL(/q=nothing/);
    await visit.judge('search-nothing-found');
  });
});
