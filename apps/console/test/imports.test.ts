import { startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { addressOf, check, mainTextOf, proposed, run, upload, utf8 } from './csv-imports.ts';
import { signedInOwner } from './signed-in-owner.ts';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await startDealkeep();

const begin = () => signedInOwner(dealkeep);

describe('columns', () => {
  test('are proposed by their headings in English and Slovak, without case, signs and diacritics (rule importing 4)', async () => {
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

  test('that two would fill, or that every new record needs, are told beside them (rule importing 4)', async () => {
    const { browser } = await begin();
    const page = await upload(browser, '/companies', utf8('A;B\n1;2'));
    expect(proposed(page)).toEqual(['', '']);
    const action = `${addressOf(page)}/columns`;
    const lacking = await browser.submit(page, action, {});
    expect(lacking.status).toBe(422);
    expect(mainTextOf(lacking)).toContain('No column is read as “Name”, which every new record needs.');
    const twice = await browser.submit(page, action, { 'column-0': 'name', 'column-1': 'name' });
    expect(twice.html).toMatch(/id="problem-column-1">Another column is read as this already\./);
    const unknown = await browser.submit(page, action, { 'column-0': 'name', 'column-1': 'nonsense' });
    expect(unknown.status).toBe(422);
    const matched = await browser.submit(page, action, { 'column-0': 'name', match_by: 'email' });
    expect(mainTextOf(matched)).toContain(
      'Records are looked for by “Email”, so a column must be read as that.',
    );
  });
});

describe('what is wrong', () => {
  test('stands on the preview by line and column, page by page, and in a file that can be mended and imported (rules importing 7 and 11)', async () => {
    const { browser, api } = await begin();
    const rows = Array.from({ length: 60 }, (_, n) => `Company ${n};nonsense ${n}`);
    const preview = await check(
      browser,
      await upload(browser, '/companies', utf8(`Name;Email\nGood;a@example.com\n${rows.join('\n')}`)),
    );
    expect(mainTextOf(preview)).toContain(
      '1 of 61 rows can be imported; those with errors (60) are left out.',
    );
    expect(mainTextOf(preview)).toContain('3 Email This is not an e-mail address.');
    const next = /href="([^"]*\?after=\d+)"/.exec(preview.html)?.[1] ?? '';
    expect(mainTextOf(await browser.get(next))).toContain('62 Email');
    const report = await browser.get(`${addressOf(preview)}/report.csv?only=problems`);
    expect(report.html.trimEnd().split('\r\n')).toHaveLength(61);
    const done = await run(browser, preview);
    expect(mainTextOf(done)).toContain('New records 1 Left out because of errors 60');
    expect((await api.get('/companies')).data).toHaveLength(1);
    const mended = utf8(report.html.replaceAll(/nonsense \d+/g, 'b@example.com'));
    const again = await run(browser, await check(browser, await upload(browser, '/companies', mended)));
    expect(mainTextOf(again)).toContain('New records 60');
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
    expect(mainTextOf(refused)).toContain(words);
    const rows = await dealkeep.sql`select from imports where organization_id = ${organization.id}`;
    expect(rows).toHaveLength(0);
  });

  test('a form without a file is told so', async () => {
    const { browser } = await begin();
    const refused = await browser.fill('/companies/import', '/companies/import', {});
    expect([refused.status, mainTextOf(refused).includes('Choose a file.')]).toEqual([422, true]);
  });
});

describe('who may', () => {
  const person = async (organization: { slug: string }, permissions: string) =>
    (await signedInUser(dealkeep, organization, { permissions })).browser;

  test('only a role that makes such records imports them, and sees no import of anybody else (rule importing 13)', async () => {
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
    expect(mainTextOf(preview)).toContain('“Hidden” was not found.');
  });
});

test('an import that is discarded is gone, and one that goes on in another tab cannot be begun twice', async () => {
  const { browser } = await begin();
  const preview = await check(browser, await upload(browser, '/companies', utf8('Name\nx')));
  const address = addressOf(preview);
  const done = await run(browser, preview);
  expect(mainTextOf(done)).toContain('New records 1');
  const again = await browser.submit(preview, `${address}/run`, {});
  expect([again.status, mainTextOf(again).includes('This import is in another state by now.')]).toEqual([
    409,
    true,
  ]);
  const page = await upload(browser, '/companies', utf8('Name\ny'));
  const gone = await browser.submit(page, `${addressOf(page)}/discard`, {});
  expect(gone.location).toBe('/companies/import?done=discarded');
  expect((await browser.get(addressOf(page))).status).toBe(404);
});
