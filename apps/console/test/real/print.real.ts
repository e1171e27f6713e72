import { inflateSync } from 'node:zlib';
import { startDealkeep } from '@dealkeep/testing';
import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn } from './business.ts';
import { looks, visitor } from './visitor.ts';

const dealkeep = await startDealkeep();
const organization = await dealkeep.createOrganization();
const api = dealkeep.as(organization.key);
const chromium = await startChromium();

async function invoiceOf(lines: number): Promise<string> {
  const items = Array.from({ length: lines }, (_, at) => ({
    name: `Line ${at + 1}`,
    unit_price: 10 + at,
    vat_rate: 23,
  }));
  return (await api.post('/invoices', { items })).data.id;
}

/** The texts that each page of a PDF draws, as the codes of their glyphs. */
function pagesOf(pdf: Buffer): string[][] {
  const source = pdf.toString('latin1');
  const streams = [...source.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].flatMap(([, held = '']) => {
    try {
      return [inflateSync(Buffer.from(held, 'latin1')).toString('latin1')];
    } catch {
      return [];
    }
  });
  const drawn = streams.filter((each) => /\bBT\b/.test(each) && /\bT[jJ]\b/.test(each));
  return drawn.map((each) =>
    [...each.matchAll(/(<[0-9A-F]+>|\[[^\]]*\])\s*T[jJ]/gi)].map(([, text = '']) => text),
  );
}

const countOfPages = (pdf: Buffer): number =>
  pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  test('what is to be printed is accessible and fits', async () => {
    const visit = await visitor(chromium, dealkeep.origin, look);
    await signIn(visit, organization);
    await visit.open(`/invoices/${await invoiceOf(3)}/print`);
    expect(await visit.page.isVisible('[data-print]')).toBe(true);
    await visit.judge('invoice-printed');
  });
});

test('three lines are one page, and eighty are several, each with the heads of the table', async () => {
  const visit = await visitor(chromium, dealkeep.origin);
  await signIn(visit, organization);
  const printed = async (lines: number): Promise<Buffer> => {
    await visit.open(`/invoices/${await invoiceOf(lines)}/print`);
    return visit.page.pdf({ preferCSSPageSize: true });
  };
  expect(countOfPages(await printed(3))).toBe(1);
  const pdf = await printed(80);
  const pages = pagesOf(pdf);
  expect(countOfPages(pdf)).toBeGreaterThan(1);
  expect(pages).toHaveLength(countOfPages(pdf));
  const [first = [], ...others] = pages;
  const onEach = [...new Set(first)].filter((text) => others.every((page) => page.includes(text)));
  // Item, quantity, unit price, VAT, without VAT.
  expect(onEach.length).toBeGreaterThanOrEqual(5);
});
