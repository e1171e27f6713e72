import { updateUser } from '@dealkeep/core/accounts';
import { Browser, inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
await dealkeep.sql`update organizations set time_zone = 'Europe/Bratislava' where id = ${organization.id}`;
const api = dealkeep.as(organization.key);
const browser = new Browser(dealkeep);
await browser.signIn(organization);

/** The lines of an export, which has no line breaks in its cells. */
async function linesOf(path: string, from = browser): Promise<string[]> {
  const { status, html, headers } = await from.get(path);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  return html.trimEnd().split('\r\n');
}

/** Somebody with a role of these permissions, signed in. */
const person = (permissions: string) => signedInUser(dealkeep, organization, { permissions });

describe('what stands in it', () => {
  test('columns are the fields of the contract, names before ids, the own fields among them (rule leaving 3)', async () => {
    await inConsole(dealkeep.core, organization, 'custom-fields.add', {
      name: 'Segment',
      type: 'text',
      required: false,
    });
    const { json } = await api.post('/companies', {
      name: 'Žltý kôň, s. r. o.',
      street: 'Hlavná 1',
      city: 'Nitra',
      owner_id: organization.ownerId,
      tags: ['vip', 'new'],
      custom_fields: { Segment: 'retail' },
    });
    const { id } = Object(json).data;
    const answer = await browser.get('/companies/export.csv?q=%C5%BDlt%C3%BD');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="companies-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [heading = '', row = ''] = answer.html.split('\r\n');
    expect(heading).toContain('Name,Street,City,Postal Code,Country,');
    expect(heading).toContain('Owner,Owner ID,Tags,Segment,');
    expect(row.startsWith('"Žltý kôň, s. r. o.",Hlavná 1,Nitra,')).toBe(true);
    expect(row).toMatch(new RegExp(`,${organization.ownerId},"(new, vip|vip, new)",retail,`));
    expect(row).toContain(`,${id},`);
  });

  test('Excel knows it for UTF-8: it begins with a byte order mark (rule leaving 2)', async () => {
    const answer = await fetch(`${dealkeep.origin}/companies/export.csv`, {
      headers: { Cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    expect([...new Uint8Array(await answer.arrayBuffer()).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  test('a text of several lines stands in quotes, whatever its line ends are', async () => {
    const name = `Lines ${crypto.randomUUID()}`;
    await api.post('/companies', { name, note: 'one\ntwo' });
    const { html } = await browser.get(`/companies/export.csv?${new URLSearchParams({ q: name })}`);
    expect(html).toContain('"one\ntwo"');
  });

  test.each(['=1+1', '+421 900 123', '-2+3', '@SUM(A1)', '\t=1', '\r=1'])(
    'a text that a spreadsheet would run is made harmless: %j (rule leaving 4)',
    async (text) => {
      const name = `Harmless ${crypto.randomUUID()}`;
      await dealkeep.sql`
        insert into companies (organization_id, id, name, note, created_at, updated_at)
        values (${organization.id}, ${crypto.randomUUID()}, ${name}, ${text}, now(), now())`;
      const { html } = await browser.get(`/companies/export.csv?${new URLSearchParams({ q: name })}`);
      expect(html).toContain(`'${text}`);
      expect(html).not.toContain(`,${text}`);
    },
  );

  test('numbers stay numbers, moments are of the organization, values are called as the page calls them (rules leaving 2 and 4)', async () => {
    await api.post('/leads', { name: 'Numbers', value: 1250.5 });
    await dealkeep.sql`
      update leads set created_at = '2026-07-01T10:00:00Z' where organization_id = ${organization.id} and name = 'Numbers'`;
    const [heading = '', row = ''] = await linesOf('/leads/export.csv?q=Numbers');
    expect(heading).toContain('Name,Status,Value,');
    expect(row).toMatch(/^Numbers,Open,1250\.5,/);
    expect(row).toContain(',2026-07-01 12:00:00,');
  });

  test('in Slovak it is as spreadsheets of that language take it: semicolons and decimal commas (rule leaving 2)', async () => {
    const { browser: visitor, email } = await person('leads.view=all');
    await updateUser(dealkeep.core, email, { language: 'sk' });
    const [heading = '', row = ''] = await linesOf('/leads/export.csv?q=Numbers', visitor);
    expect(heading).toMatch(/Názov;Stav;Hodnota;/);
    expect(row).toMatch(/^Numbers;Otvorená;1250,5;/);
  });
});

describe('whom it shows what', () => {
  test('filters and order of the list are those of the page (rule leaving 1)', async () => {
    for (const name of ['Filter B', 'Filter A', 'Other'])
      await api.post('/companies', { name, phone: `${name} phone` });
    const page = await browser.get('/companies?q=Filter&sort=name');
    const address = /href="(\/companies\/export\.csv\?[^"]*)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&');
    const [, ...rows] = await linesOf(address ?? '');
    expect(rows.map((row) => row.split(',')[0])).toEqual(['Filter A', 'Filter B']);
  });

  test('a filter that cannot be read leads back to the page that says so', async () => {
    const refused = await browser.get('/leads/export.csv?created_after=abc');
    expect([refused.status, refused.location]).toEqual([303, '/leads?created_after=abc']);
  });

  test('a role that does not see the records gets none, one of assigned records those (rule leaving 1)', async () => {
    const { browser: visitor, id } = await person('leads.view=assigned');
    await api.post('/leads', { name: 'Mine', owner_id: id });
    const [, ...rows] = await linesOf('/leads/export.csv', visitor);
    expect(rows.map((row) => row.split(',')[0])).toEqual(['Mine']);
    expect((await visitor.get('/companies/export.csv')).status).toBe(403);
    expect((await new Browser(dealkeep).get('/companies/export.csv')).status).toBe(303);
  });
});
