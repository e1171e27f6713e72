import { vatByRate } from '@dealkeep/core/records';
import { html } from 'hono/html';
import { requirePermitted } from '../../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../../context.ts';
import { documentOf } from '../../frame/plain-page.ts';
import { languageSwitch } from '../../language.ts';
import { type Column, type Fact, factList, type Markup, plainTable, trail } from '../../markup.ts';
import { momentFormat, nameFormat } from '../../values/formats.ts';
import { printMoney, printNumber, printPercent } from '../../values/numbers.ts';
import type { RecordKind } from '../record-kind.ts';
import { type Identity, type Paper, paperOf } from './paper.ts';
import { printSay } from './print-texts.ts';

type PrintedKind = RecordKind & { readonly resource: Paper['kind'] };

/** Whether records of a kind are printed: what customers are given. */
export const isPrinted = (kind: RecordKind): kind is PrintedKind =>
  kind.resource === 'invoice' || kind.resource === 'quote';

/** An invoice or a quote on white paper, in the language of the page. What is said above it is not printed. */
export async function printPage(c: ConsoleContext, kind: PrintedKind, id: string): Promise<Response> {
  requirePermitted(c, kind.resource, kind);
  const paper = await paperOf(c, kind.resource, id);
  const language = c.get('language');
  const text = printSay(language);
  const title = `${text(paper.kind)} ${paper.number}`;
  const body = html`<body class="printed">
<main>
<div class="unprinted">${trail(`${kind.path}/${id}`, title)}
<div class="bar"><p class="quiet">${text('hint')}</p><div class="choices">${languageSwitch(c)}<button type="button" data-print hidden>${text('print')}</button></div></div>
${missing(c, paper)}</div>
<article class="paper">
<header><h1>${title}</h1>${paper.state ? html`<p class="state">${text(paper.state)}</p>` : ''}</header>
<div class="parties">${party(c, text('supplier'), paper.supplier)}
${party(c, text('customer'), paper.customer)}</div>
${factList(paper.facts.map(([label, value, holds]): Fact => [text(label), holds === 'date' ? dayOf(c, value) : value]))}
${itemsOf(c, paper)}
<div class="sums">${vatOf(c, paper)}${sumsOf(c, paper)}</div>
</article>
</main>
</body>`;
  return c.html(await documentOf(language, { title, body, scripts: ['print.js'] }));
}

/** What a reader of the paper would miss, and who adds it. */
function missing(c: ConsoleContext, { supplier, customer }: Paper): Markup | string {
  const text = printSay(c.get('language'));
  const isOwner = sessionOf(c).user.permissions === 'owner';
  const toOrganization = isOwner
    ? html` <a href="/settings/organization/edit">${text('addToOrganization')}</a>`
    : '';
  const missed = [
    supplier.identity ? '' : html`${text('noSupplier')}${toOrganization}`,
    customer.identity ? '' : text('noCompany'),
  ].filter(Boolean);
  return missed.length > 0 ? html`${missed.map((each) => html`<p class="notice-quiet">${each}</p>`)}` : '';
}

function party(c: ConsoleContext, label: string, { name, identity }: Paper['customer']): Markup {
  const lines = identity ? linesOf(c, identity) : [];
  return html`<section><h2>${label}</h2><p><strong>${name}</strong>${lines.map((line) => html`<br>${line}`)}</p></section>`;
}

/** The address and the IDs of a business, as they stand on an invoice. */
function linesOf(
  c: ConsoleContext,
  { street, city, postal_code, country_code, registration_id, tax_id, vat_id }: Identity,
): string[] {
  const text = printSay(c.get('language'));
  const country = country_code && nameFormat(c.get('language'), { type: 'region' }).of(country_code);
  return [
    street,
    [postal_code, city].filter(Boolean).join(' '),
    country,
    registration_id && text('registrationId', { id: registration_id }),
    tax_id && text('taxId', { id: tax_id }),
    vat_id && text('vatId', { id: vat_id }),
  ].filter((line): line is string => Boolean(line));
}

const dayOf = (c: ConsoleContext, day: string): string =>
  day === ''
    ? ''
    : momentFormat(c.get('language'), { dateStyle: 'long', timeZone: 'UTC' }).format(
        new Date(`${day}T00:00:00Z`),
      );

const hasVat = ({ items }: Paper): boolean => items.some(({ vat_rate }) => (vat_rate ?? 0) > 0);

function itemsOf(c: ConsoleContext, paper: Paper): Markup {
  const language = c.get('language');
  const text = printSay(language);
  const money = (value: number): string => printMoney(language, value, paper.currency);
  const withVat = hasVat(paper);
  const columns: Column<Paper['items'][number]>[] = [
    { label: text('item'), cell: ({ name }) => name },
    {
      label: text('quantity'),
      holds: 'number',
      cell: ({ quantity, unit }) => `${printNumber(language, quantity)}${unit ? ` ${unit}` : ''}`,
    },
    { label: text('unitPrice'), holds: 'number', cell: ({ unit_price }) => money(unit_price) },
    ...(withVat
      ? [
          {
            label: text('vatRate'),
            holds: 'number' as const,
            cell: ({ vat_rate }: Paper['items'][number]) => printPercent(language, vat_rate ?? 0),
          },
        ]
      : []),
    {
      label: text(withVat ? 'lineTotal' : 'lineTotalAlone'),
      holds: 'number',
      cell: ({ total }) => money(total),
    },
  ];
  return html`<section class="items" aria-label="${text('items')}">${plainTable(columns, paper.items)}</section>`;
}

/** VAT by its rates, where there is any. */
function vatOf(c: ConsoleContext, paper: Paper): Markup | string {
  if (!hasVat(paper)) return '';
  const language = c.get('language');
  const text = printSay(language);
  const money = (value: number): string => printMoney(language, value, paper.currency);
  const columns: Column<ReturnType<typeof vatByRate>[number]>[] = [
    { label: text('rate'), cell: ({ rate }) => printPercent(language, rate) },
    { label: text('base'), holds: 'number', cell: ({ base }) => money(base) },
    { label: text('vatRate'), holds: 'number', cell: ({ vat }) => money(vat) },
  ];
  return html`<section class="vat"><h2>${text('vatSummary')}</h2>${plainTable(columns, vatByRate(paper))}</section>`;
}

function sumsOf(c: ConsoleContext, paper: Paper): Markup {
  const text = printSay(c.get('language'));
  const money = (value: number): string => printMoney(c.get('language'), value, paper.currency);
  const { payment } = paper;
  const ofVat: Fact[] = hasVat(paper)
    ? [
        [text('subtotal'), money(paper.subtotal)],
        [text('vatRate'), money(paper.vat)],
      ]
    : [];
  const ofPayment: Fact[] = payment
    ? [
        [text('paid'), payment.paid > 0 ? money(payment.paid) : ''],
        [text('toPay'), html`<strong>${money(payment.remaining)}</strong>`],
      ]
    : [];
  const total: Fact = [
    text('total'),
    payment ? money(paper.total) : html`<strong>${money(paper.total)}</strong>`,
  ];
  return html`<section class="totals" aria-label="${text('total')}">${factList([...ofVat, total, ...ofPayment])}</section>`;
}
