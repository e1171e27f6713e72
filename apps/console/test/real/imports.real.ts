import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { looks, type Visitor, visitor } from './visitor.ts';

const { dealkeep, organization } = await startBusiness();
const chromium = await startChromium();

/** As a Slovak Excel saves it. */
function windows1250(text: string): Buffer {
  const decoder = new TextDecoder('windows-1250');
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]),
  );
  return Buffer.from(Uint8Array.from(text, (sign) => bytes.get(sign) ?? 0x3f));
}

const table = [
  'Názov firmy;IČO;E-mail;Telefón;Mesto;Poznámka;Niečo iné',
  'Žltý kôň, s. r. o.;36123456;info@kon.example;+421 55 123 45 67;Košice;;1',
  'Ľubovňa šport;47123456;nie je adresa;;Stará Ľubovňa;;2',
  ...Array.from({ length: 400 }, (_, n) => `Firma č. ${n};${10_000 + n};firma${n}@example.com;;Žilina;;${n}`),
].join('\r\n');
const file = { name: 'firmy.csv', mimeType: 'text/csv', buffer: windows1250(table) };

/** Sends a file of companies and has its rows checked. */
async function toPreview({ page, open }: Visitor, judge: (name: string) => Promise<void>): Promise<void> {
  await open('/companies/import');
  await judge('import-file');
  await page.setInputFiles('#file', file);
  await page.click('form.card button');
  await page.waitForSelector('[name=column-0]');
  await judge('import-columns');
  await page.click('form > .choices button');
  await page.waitForSelector('form[action$="/run"]');
  await judge('import-preview');
}

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  test('a file is chosen, its columns are looked at, its rows checked, imported and undone', async () => {
    const visit = await visitor(chromium, dealkeep.origin, look);
    const { page } = visit;
    await signIn(visit, organization);
    await toPreview(visit, visit.judge);
    expect(await page.textContent('main')).toContain('Ľubovňa šport');
    await page.click('form[action$="/run"] button');
    await page.waitForSelector('form[action$="/undo"]');
    await visit.judge('import-result');
    page.once('dialog', (dialog) => dialog.accept());
    await page.click('form[action$="/undo"] button');
    await page.waitForSelector('dl >> text=401');
    await page.waitForSelector('progress', { state: 'detached' });
    await visit.judge('import-undone');
  });
});

test('all of it works without JavaScript', async () => {
  const visit = await visitor(chromium, dealkeep.origin, undefined, { javaScriptEnabled: false });
  const { page } = visit;
  await signIn(visit, organization);
  await toPreview(visit, async () => {});
  await page.click('form[action$="/run"] button');
  await page.waitForSelector('form[action$="/undo"]');
  await page.click('form[action$="/undo"] button');
  await page.waitForSelector('text=Removed again');
});

test('a file that is too large is told so before it is sent', async () => {
  const visit = await visitor(chromium, dealkeep.origin);
  const { page } = visit;
  await signIn(visit, organization);
  await visit.open('/companies/import');
  await page.setInputFiles('#file', { ...file, buffer: Buffer.alloc(10 * 1024 * 1024 + 1, 97) });
  const said = await page.$eval('#file', (input) => Reflect.get(input, 'validationMessage'));
  expect(said).toBe('The file is larger than 10 MiB. Divide it into several files, each with the headings.');
  await page.click('form.card button');
  expect(new URL(page.url()).pathname).toBe('/companies/import');
});
