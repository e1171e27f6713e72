import { updateUser } from '@dealkeep/core/accounts';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { addressOf, check, mainTextOf, proposed, run, settled, upload, utf8 } from './csv-imports.ts';
import { signedInOwner } from './signed-in-owner.ts';

const dealkeep = await startDealkeep();

const begin = () => signedInOwner(dealkeep);

test('4,000 companies are imported with a preview, progress, a report by row, and undone', async () => {
  const { browser, api, organization } = await begin();
  const rows = Array.from(
    { length: 4000 },
    (_, n) => `Firma ${n} č.;${10_000_000 + n};info${n}@example.com;Košice`,
  );
  const file = utf8(`\ufeffNázov;IČO;E-mail;Mesto\r\n${rows.join('\r\n')}\r\n`);
  const columns = await upload(browser, '/companies', file);
  expect(proposed(columns)).toEqual(['name', 'registration_id', 'email', 'city']);
  expect(mainTextOf(columns)).toContain('Rows read: 4,000 (UTF-8, semicolons)');
  const preview = await check(browser, columns);
  expect(mainTextOf(preview)).toContain('Nothing is wrong with any row.');
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
    { interval: 100 },
  );
  expect(seen.size).toBeGreaterThan(2);
  const done = await browser.get(address);
  expect(mainTextOf(done)).toContain('New records 4,000');
  const [counted] = await dealkeep.sql<{ records: number; events: number }[]>`
    select (select count(distinct registration_id) from companies where organization_id = ${organization.id})::integer as records,
           (select count(*) from events where organization_id = ${organization.id} and type = 'company.created')::integer as events`;
  expect(counted).toEqual({ records: 4000, events: 4000 });

  const report = await browser.get(`${address}/report.csv`);
  expect(report.headers.get('content-disposition')).toMatch(
    /^attachment; filename="import-companies-.*\.csv"$/,
  );
  const lines = report.html.trimEnd().split('\r\n');
  expect(lines).toHaveLength(4001);
  expect(lines[0]).toContain('Line,Result,Errors,Record');
  expect(lines[4000]).toMatch(
    /^Firma 3999 č\.,10003999,.*,4001,New records,,http:\/\/localhost:3000\/companies\/[0-9a-f-]{36}$/,
  );

  expect((await browser.submit(done, `${address}/undo`, {})).location).toBe(address);
  expect(mainTextOf(await settled(browser, address))).toContain('Removed again 4,000');
  expect((await api.get('/companies')).data).toEqual([]);
});

describe('what is wrong', () => {
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
    expect([small.status, mainTextOf(small).includes('larger than 10 MiB')]).toEqual([422, true]);
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
    expect(mainTextOf(done)).toContain('New records 1');
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
