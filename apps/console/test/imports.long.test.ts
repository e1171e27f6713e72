import { updateUser } from '@dealkeep/core';
import { Browser, eventually, startDealkeep, type VisitedPage } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await startDealkeep();

async function begin() {
  const organization = await dealkeep.createOrganization();
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  return { organization, browser, api: dealkeep.as(organization.key) };
}

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Sends a file; answers what comes after, which is the page of the import where it was taken. */
async function upload(browser: Browser, list: string, bytes: Uint8Array<ArrayBuffer>): Promise<VisitedPage> {
  const action = `${list}/import`;
  const sent = await browser.upload(await browser.get(action), action, { name: 'table.csv', bytes });
  return sent.location === undefined ? sent : browser.get(sent.location);
}

/** The address of the import that a page is about. */
const addressOf = ({ html }: VisitedPage): string => /\/imports\/[0-9a-f-]{36}/.exec(html)?.[0] ?? '';

/** The page of an import, once no worker has it any more. */
async function settled(browser: Browser, address: string): Promise<VisitedPage> {
  let page = await browser.get(address);
  await eventually(
    async () => {
      page = await browser.get(address);
      expect(page.headers.get('refresh')).toBeNull();
    },
    { interval: 100 },
  );
  return page;
}

/** Has its columns read as proposed, but for what is chosen otherwise; answers the preview. */
async function check(browser: Browser, page: VisitedPage, chosen: Record<string, string> = {}) {
  const address = addressOf(page);
  const sent = await browser.submit(page, `${address}/columns`, chosen);
  expect([sent.status, sent.location]).toEqual([303, address]);
  return settled(browser, address);
}

async function run(browser: Browser, page: VisitedPage) {
  const address = addressOf(page);
  const sent = await browser.submit(page, `${address}/run`, {});
  expect([sent.status, sent.location]).toEqual([303, address]);
  return settled(browser, address);
}

const proposed = ({ html }: VisitedPage): string[] =>
  [...html.matchAll(/<select name="column-\d+".*?<\/select>/gs)].map(
    ([select]) => /<option value="([^"]*)" selected>/.exec(select)?.[1] ?? '?',
  );

const textOf = ({ html }: VisitedPage): string =>
  html
    .replace(/[\s\S]*<main/, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test('10,000 companies are imported with a preview, progress, a report by row, and undone', {
  timeout: 600_000,
}, async () => {
  const { browser, api, organization } = await begin();
  const rows = Array.from(
    { length: 10_000 },
    (_, n) => `Firma ${n} č.;${10_000_000 + n};info${n}@example.com;Košice`,
  );
  const file = utf8(`\ufeffNázov;IČO;E-mail;Mesto\r\n${rows.join('\r\n')}\r\n`);
  const columns = await upload(browser, '/companies', file);
  expect(proposed(columns)).toEqual(['name', 'registration_id', 'email', 'city']);
  expect(textOf(columns)).toContain('Rows read: 10,000 (UTF-8, semicolons)');
  const preview = await check(browser, columns);
  expect(textOf(preview)).toContain('Nothing is wrong with any row.');
  expect(preview.html).toContain('Firma 0 č.');
  expect((await api.get('/companies')).data).toEqual([]);

  const address = addressOf(preview);
  expect((await browser.submit(preview, `${address}/run`, {})).location).toBe(address);
  const seen = new Set<number>();
  await eventually(
    async () => {
      const page = await browser.get(address);
      const value = /<progress [^>]*value="(\d+)"/.exec(page.html)?.[1];
      if (value !== undefined) seen.add(Number(value));
      expect(page.headers.get('refresh')).toBeNull();
    },
    { timeout: 500_000, interval: 250 },
  );
  expect(seen.size).toBeGreaterThan(3);
  const done = await browser.get(address);
  expect(textOf(done)).toContain('New records 10,000');
  const [counted] = await dealkeep.sql<{ records: number; events: number }[]>`
    select (select count(distinct registration_id) from companies where organization_id = ${organization.id})::integer as records,
           (select count(*) from events where organization_id = ${organization.id} and type = 'company.created')::integer as events`;
  expect(counted).toEqual({ records: 10_000, events: 10_000 });

  const report = await browser.get(`${address}/report.csv`);
  expect(report.headers.get('content-disposition')).toMatch(
    /^attachment; filename="import-companies-.*\.csv"$/,
  );
  const lines = report.html.trimEnd().split('\r\n');
  expect(lines).toHaveLength(10_001);
  expect(lines[0]).toContain('Line,Result,Errors,Record');
  expect(lines[10_000]).toMatch(
    /^Firma 9999 č\.,10009999,.*,10001,New records,,http:\/\/localhost:3000\/companies\/[0-9a-f-]{36}$/,
  );

  expect((await browser.submit(done, `${address}/undo`, {})).location).toBe(address);
  expect(textOf(await settled(browser, address))).toContain('Removed again 10,000');
  expect((await api.get('/companies')).data).toEqual([]);
});

describe('columns', () => {
  test('are proposed by their headings in English and Slovak, without case, signs and diacritics', async () => {
    const { browser } = await begin();
    const english = await upload(
      browser,
      '/contacts',
      utf8('Full name,E-mail,PHONE,Company,Job title,Shoe size\nEva,,,,,'),
    );
    expect(proposed(english)).toEqual(['name', 'email', 'phone', 'company_id', 'position', '']);
    const slovak = await upload(
      browser,
      '/leads',
      utf8('nazov;HODNOTA;Firma;IČO;Kontaktná osoba;zdroj;Fáza;Štítky\nx;;;;;;;'),
    );
    expect(proposed(slovak)).toEqual([
      'name',
      'value',
      'company.name',
      'company.registration_id',
      'contact.name',
      'origin_id',
      'stage_id',
      'tags',
    ]);
    const products = await upload(
      browser,
      '/products',
      utf8('SKU;EAN;Názov;Cena;Sadzba DPH;Na sklade;Aktívny\nA;;x;;;;'),
    );
    expect(proposed(products)).toEqual([
      'sku',
      'ean',
      'name',
      'price',
      'vat_rate',
      'stock_on_hand',
      'active',
    ]);
  });

  test('that two would fill, or that every new record needs, are told beside them', async () => {
    const { browser } = await begin();
    const page = await upload(browser, '/companies', utf8('A;B\n1;2'));
    expect(proposed(page)).toEqual(['', '']);
    const action = `${addressOf(page)}/columns`;
    const lacking = await browser.submit(page, action, {});
    expect(lacking.status).toBe(422);
    expect(textOf(lacking)).toContain('No column is read as “Name”, which every new record needs.');
    const twice = await browser.submit(page, action, { 'column-0': 'name', 'column-1': 'name' });
    expect(twice.html).toMatch(/id="problem-column-1">Another column is read as this already\./);
    const unknown = await browser.submit(page, action, { 'column-0': 'name', 'column-1': 'nonsense' });
    expect(unknown.status).toBe(422);
    const matched = await browser.submit(page, action, { 'column-0': 'name', match_by: 'email' });
    expect(textOf(matched)).toContain('Records are looked for by “Email”, so a column must be read as that.');
  });
});

test('an export in Slovak, with semicolons, decimal commas and apostrophes, is read again as it was', async () => {
  const from = await begin();
  await updateUser(dealkeep.core, from.organization.ownerEmail, { language: 'sk' });
  await from.api.post('/companies', {
    name: 'Žltý kôň; "s. r. o."',
    phone: '+421 900 123 456',
    note: '=1+1\nzweite',
    city: 'Nitra',
    country_code: 'CZ',
    tags: ['vip', 'nový'],
  });
  await from.browser.get('/?language=sk');
  const create = '/products/new';
  await from.browser.fill(create, create, {
    sku: 'A-1',
    name: 'Bicykel',
    price: '1250,5',
    vat_rate: '23',
    stock_on_hand: '3',
    do: 'save',
  });
  const [companies, products] = await Promise.all(
    ['/companies/export.csv', '/products/export.csv'].map(async (path) => {
      const cookie = [...from.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(`${dealkeep.origin}${path}`, { headers: { Cookie: cookie } });
      return new Uint8Array(await answer.arrayBuffer());
    }),
  );
  const to = await begin();
  for (const [list, bytes] of [
    ['/companies', companies],
    ['/products', products],
  ] as const) {
    if (!bytes) throw new Error('Nothing was exported');
    const done = await run(to.browser, await check(to.browser, await upload(to.browser, list, bytes)));
    expect(textOf(done)).toContain('New records 1');
  }
  const { data } = await to.api.get('/companies');
  expect(data).toMatchObject([
    {
      name: 'Žltý kôň; "s. r. o."',
      phone: '+421 900 123 456',
      note: '=1+1\nzweite',
      address: { city: 'Nitra' },
      country_code: 'CZ',
    },
  ]);
  expect((await to.api.get('/products?include=stock')).data).toMatchObject([
    { sku: 'A-1', price: 1250.5, stock_on_hand: 3 },
  ]);
});

describe('what is wrong', () => {
  test('stands on the preview by line and column, page by page, and in a file that can be mended and imported', async () => {
    const { browser, api } = await begin();
    const rows = Array.from({ length: 60 }, (_, n) => `Company ${n};nonsense ${n}`);
    const preview = await check(
      browser,
      await upload(browser, '/companies', utf8(`Name;Email\nGood;a@example.com\n${rows.join('\n')}`)),
    );
    expect(textOf(preview)).toContain('1 of 61 rows can be imported; those with errors (60) are left out.');
    expect(textOf(preview)).toContain('3 Email This is not an e-mail address.');
    const next = /href="([^"]*\?after=\d+)"/.exec(preview.html)?.[1] ?? '';
    expect(textOf(await browser.get(next))).toContain('62 Email');
    const report = await browser.get(`${addressOf(preview)}/report.csv?only=problems`);
    expect(report.html.trimEnd().split('\r\n')).toHaveLength(61);
    const done = await run(browser, preview);
    expect(textOf(done)).toContain('New records 1 Left out because of errors 60');
    expect((await api.get('/companies')).data).toHaveLength(1);
    const mended = utf8(report.html.replaceAll(/nonsense \d+/g, 'b@example.com'));
    const again = await run(browser, await check(browser, await upload(browser, '/companies', mended)));
    expect(textOf(again)).toContain('New records 60');
  });

  test.each([
    ['nothing', '', 'The file is empty.'],
    ['only headings', 'Name;Email\n', 'The file has headings in line 1 and no rows below them.'],
    ['broken quotes', 'Name;Email\n"x;y\n', 'The quotes of the row that begins in line 2 are broken.'],
    ['a workbook', 'PK\u0003\u0004', 'This is a workbook of a spreadsheet, not a CSV file.'],
    [
      'a row of 1 MiB',
      `Name\n${'x'.repeat(1024 * 1024)}`,
      'The row that begins in line 2 is larger than 256 KiB.',
    ],
  ])('in a file of %s is told above the form, and nothing is kept of it', async (_, text, words) => {
    const { browser, organization } = await begin();
    const refused = await upload(browser, '/companies', utf8(text));
    expect(refused.status).toBe(422);
    expect(textOf(refused)).toContain(words);
    const rows = await dealkeep.sql`select from imports where organization_id = ${organization.id}`;
    expect(rows).toHaveLength(0);
  });

  test('a form without a file is told so', async () => {
    const { browser } = await begin();
    const refused = await browser.fill('/companies/import', '/companies/import', {});
    expect([refused.status, textOf(refused).includes('Choose a file.')]).toEqual([422, true]);
  });

  test('of 1 GB no more is received than it takes to say that it is too large', async () => {
    const { browser } = await begin();
    const token = /name="csrf_token" value="([^"]*)"/.exec(
      (await browser.get('/companies/import')).html,
    )?.[1];
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const part = new Uint8Array(64 * 1024).fill(97);
    let sent = 0;
    const head = `--x\r\nContent-Disposition: form-data; name="csrf_token"\r\n\r\n${token}\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="big.csv"\r\nContent-Type: text/csv\r\n\r\n`;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(utf8(head)),
      pull(controller) {
        sent += part.length;
        if (sent > 1024 ** 3) controller.close();
        else controller.enqueue(part);
      },
    });
    const answer = await fetch(`${dealkeep.origin}/companies/import`, {
      method: 'POST',
      headers: { Cookie: cookie, 'Content-Type': 'multipart/form-data; boundary=x' },
      body,
      duplex: 'half',
    }).then(
      async (response) => [response.status, (await response.text()).includes('larger than 10 MiB')],
      () => 'cut off',
    );
    expect([[422, true], 'cut off']).toContainEqual(answer);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    const small = await upload(browser, '/companies', new Uint8Array(10 * 1024 * 1024 + 1).fill(97));
    expect([small.status, textOf(small).includes('larger than 10 MiB')]).toEqual([422, true]);
  });
});

describe('who may', () => {
  const person = async (organization: { slug: string }, permissions: string) =>
    (await signedInUser(dealkeep, organization, { permissions })).browser;

  test('only a role that makes such records imports them, and sees no import of anybody else', async () => {
    const { browser, organization } = await begin();
    const page = await upload(browser, '/companies', utf8('Name\nx'));
    const address = addressOf(page);
    const viewer = await person(organization, 'companies.view=all');
    expect((await viewer.get('/companies/import')).status).toBe(403);
    expect((await viewer.get('/companies')).html).not.toContain('/companies/import');
    const other = await person(organization, 'companies.view=all,companies.create=all,companies.edit=all');
    expect((await other.get('/companies')).html).toContain('/companies/import');
    expect((await other.get(address)).status).toBe(404);
    expect((await other.get(`${address}/report.csv`)).status).toBe(404);
    expect((await browser.get(address)).status).toBe(200);
    const stranger = await begin();
    expect((await stranger.browser.get(address)).status).toBe(404);
  });

  test('a file that another site sends, or that comes without the token, is refused', async () => {
    const { browser } = await begin();
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = new FormData();
    body.append('file', new Blob([utf8('Name\nx')]), 'x.csv');
    const answer = await fetch(`${dealkeep.origin}/companies/import`, {
      method: 'POST',
      headers: { Cookie: cookie },
      body,
    });
    expect(answer.status).toBe(403);
    body.append('csrf_token', 'wrong');
    const wrong = await fetch(`${dealkeep.origin}/companies/import`, {
      method: 'POST',
      headers: { Cookie: cookie },
      body,
    });
    expect(wrong.status).toBe(403);
    // Only the pages of imports take files.
    const elsewhere = await fetch(`${dealkeep.origin}/companies/new`, {
      method: 'POST',
      headers: { Cookie: cookie },
      body,
    });
    expect(elsewhere.status).toBe(403);
  });

  test('companies that a role does not show are not found for contacts', async () => {
    const { organization, api } = await begin();
    await api.post('/companies', { name: 'Hidden' });
    const browser = await person(
      organization,
      'companies.view=assigned,companies.create=all,companies.edit=all',
    );
    const preview = await check(
      browser,
      await upload(browser, '/contacts', utf8('Name;Company\nEva;Hidden')),
    );
    expect(textOf(preview)).toContain('“Hidden” was not found.');
  });
});

test('an import that is discarded is gone, and one that goes on in another tab cannot be begun twice', async () => {
  const { browser } = await begin();
  const preview = await check(browser, await upload(browser, '/companies', utf8('Name\nx')));
  const address = addressOf(preview);
  const done = await run(browser, preview);
  expect(textOf(done)).toContain('New records 1');
  const again = await browser.submit(preview, `${address}/run`, {});
  expect([again.status, textOf(again).includes('This import is in another state by now.')]).toEqual([
    409,
    true,
  ]);
  const page = await upload(browser, '/companies', utf8('Name\ny'));
  const gone = await browser.submit(page, `${addressOf(page)}/discard`, {});
  expect(gone.location).toBe('/companies/import?done=discarded');
  expect((await browser.get(addressOf(page))).status).toBe(404);
});
