import { type Browser, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { problemBeside, textOf } from './page-parts.ts';
import { signedInOwner } from './signed-in-owner.ts';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await sharedDealkeep();
const { sql } = dealkeep;
const path = '/settings/organization';

const owner = () => signedInOwner(dealkeep);
const save = { do: 'save' };
const fill = (browser: Browser, fields: Record<string, string>) =>
  browser.fill(`${path}/edit`, `${path}/edit`, { ...fields, ...save });

describe('the page of the organization', () => {
  test('says what the organization is and how much of its limits it uses', async () => {
    const { browser, organization } = await owner();
    const text = textOf((await browser.get(path)).html);
    for (const fact of [
      'Test organization',
      'Slovakia',
      'EUR – Euro',
      'Europe/Bratislava',
      organization.slug,
    ]) {
      expect(text).toContain(fact);
    }
    expect(text).toContain('Subscription Active');
    expect(text).toContain('API keys 1 of 20');
    expect(text).toContain('Webhooks 0 of 50');
  });

  test('offers every country, currency and time zone, and the database knows each of these zones', async () => {
    const { browser } = await owner();
    const { html } = await browser.get(`${path}/edit`);
    expect(html).toContain('<option value="SK" selected>Slovakia</option>');
    expect(html).toContain('<option value="CZK">Czech Koruna</option>');
    const zones = /<datalist id="suggestions-time_zone">.*?<\/datalist>/s.exec(html)?.[0] ?? '';
    const offered = [...zones.matchAll(/value="([^"]+)"/g)].map(([, zone]) => zone ?? '');
    expect(offered.length).toBeGreaterThan(300);
    expect(await sql`select now() at time zone zone from unnest(${offered}::text[]) as zone`).toHaveLength(
      offered.length,
    );
  });

  test('somebody with a role reads it, and can change nothing', async () => {
    const { organization } = await owner();
    const { browser } = await signedInUser(dealkeep, organization, { permissions: 'leads.view=all' });
    const page = await browser.get(path);
    expect(textOf(page.html)).toContain('Owners of the organization change this.');
    expect(page.html).not.toContain(`${path}/edit`);
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
    expect((await browser.get(`${path}/edit`)).status).toBe(403);
    const refused = await browser.post(`${path}/edit`, { csrf_token, name: 'Taken over', ...save });
    expect([refused.status, textOf(refused.html)]).toEqual([403, expect.stringContaining('Only owners')]);
    expect(refused.html).toContain('<nav id="navigation"');
    expect((await browser.get(path)).html).not.toContain('Taken over');
  });
});

describe('a change of the organization', () => {
  test('counts for the very next request: currency, country and time zone', async () => {
    const { browser, api } = await owner();
    const client = Object((await api.post('/companies', { name: 'First' })).json).data;
    const invoice = { company_id: client.id, items: [{ name: 'Work', quantity: 1, unit_price: 10 }] };
    expect(Object((await api.post('/invoices', invoice)).json).data.currency).toBe('EUR');
    const changed = {
      name: 'Moved <b>',
      country_code: 'US',
      currency: 'usd',
      time_zone: 'Pacific/Kiritimati',
    };
    expect((await fill(browser, changed)).location).toBe(`${path}?done=saved`);
    const after = Object((await api.post('/invoices', invoice)).json).data;
    const here = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Kiritimati' }).format(new Date());
    expect([after.currency, after.issued_date]).toEqual(['USD', here]);
    expect(Object((await api.post('/companies', { name: 'Second' })).json).data.country_code).toBe('US');
    expect((await browser.get(path)).html).toContain('Moved &lt;b&gt;');
  });

  test.each([
    ['name', ' ', 'This must not be empty.'],
    ['country_code', '', 'This field is required.'],
    ['currency', 'EURO', 'This is not a currency code of three upper-case letters (ISO 4217), such as EUR.'],
    ['time_zone', 'Europe/Atlantis', 'This is not the name of a time zone, such as Europe/Bratislava.'],
    ['time_zone', '+02:00', 'This is not the name of a time zone, such as Europe/Bratislava.'],
  ])('is refused beside its field: %s %j', async (field, value, said) => {
    const { browser } = await owner();
    const refused = await fill(browser, { [field]: value });
    expect([refused.status, problemBeside(refused.html, field)]).toEqual([422, said]);
  });

  test('is told when another tab was quicker, and counts when it is sent again', async () => {
    const { browser } = await owner();
    const form = await browser.get(`${path}/edit`);
    await fill(browser, { name: 'Quicker' });
    const told = await browser.submit(form, `${path}/edit`, { name: 'Slower', ...save });
    expect([told.status, told.html]).toEqual([409, expect.stringContaining('value="Slower"')]);
    expect((await browser.submit(told, `${path}/edit`, save)).status).toBe(303);
    expect(textOf((await browser.get(path)).html)).toContain('Slower');
  });
});
