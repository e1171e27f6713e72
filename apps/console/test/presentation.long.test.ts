import { everyOperationId, type FieldFacts } from '@dealkeep/contract';
import { findSession } from '@dealkeep/core/accounts';
import { seedDemo } from '@dealkeep/core/installation';
import { runAsUser } from '@dealkeep/core/operations';
import { Browser, inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import type { Presentation } from '../src/records/presentation.ts';
import { printMoney, printNumber } from '../src/values/numbers.ts';
import { textOf } from './page-parts.ts';
import { bodyFields, eachKind, recordFields } from './presented-kinds.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
await seedDemo(dealkeep.core, organization.slug, 'small');
const browser = new Browser(dealkeep);
await browser.signIn(organization);
// What people do not fill in, so that the demo data do not show it.
const api = dealkeep.as(organization.key);
await inConsole(dealkeep.core, organization, 'products.create', {
  sku: 'FILES-1',
  name: 'With files',
  attachments: [
    {
      url: 'https://files.example/manual.pdf',
      title: 'Manual of the lamp',
      kind: 'manual',
      locale: 'sk',
      mime: 'application/pdf',
      size_bytes: 12345,
    },
  ],
});
const { data: closed } = await api.post('/leads', { name: 'Put away' });
await api.post(`/leads/${closed.id}/archive`);
const { data: done } = await api.post('/tasks', { title: 'Put away' });
await inConsole(dealkeep.core, organization, 'tasks.archive', { id: done.id });
await dealkeep.sql`
  update bookings set lead_id = ${closed.id} where organization_id = ${organization.id} and lead_id is null`;
await dealkeep.sql`
  update quotes set client_id = (select id from clients where organization_id = ${organization.id} limit 1)
  where organization_id = ${organization.id}`;
await dealkeep.sql`
  update orders set invoice_id = (select id from invoices where organization_id = ${organization.id} limit 1)
  where organization_id = ${organization.id}`;

type Shown = Readonly<Record<string, unknown>>;

/** The records of a list, as their pages read them. */
async function recordsOf({ path, idField = 'id', reads = [] }: Presentation): Promise<Shown[]> {
  const session = await findSession(dealkeep.core, browser.cookies.get('dealkeep_session') ?? '');
  const get = everyOperationId.find((id) => id === `${path.slice(1)}.get`);
  if (!session || !get) throw new Error(`Somebody signed in reads records of ${path}`);
  const { html } = await browser.get(path);
  const found = html.matchAll(new RegExp(`href="${path}/([0-9a-f-]{36})"`, 'g'));
  const ids = new Set([...found].map(([, id = '']) => id));
  return Promise.all(
    [...ids].map(async (id) =>
      Object(await runAsUser(dealkeep.core, session, get, { path: { [idField]: id }, query: reads })),
    ),
  );
}

const isFilled = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : value !== null && value !== undefined && value !== '' && value !== false;

/** With the signs that markup writes otherwise. */
const asRead = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

/** Whether a form has a control for a field; a client and a company are asked for by one, the customer. */
const isAskedIn = (html: string, name: string): boolean =>
  new RegExp(`(?:name="${name}[".[]|value="add:${name}")`).test(html) ||
  (name === 'company_id' && html.includes('name="client_id.customer"'));

describe.each(eachKind)('what is declared of %s', (_, kind) => {
  test('is what the forms ask for', async () => {
    for (const form of ['create', 'update'] as const) {
      const fields = bodyFields(kind, form);
      if (fields.length === 0) continue;
      const [first] = await recordsOf(kind);
      const { html } = await browser.get(
        form === 'create' ? `${kind.path}/new` : `${kind.path}/${first?.[kind.idField ?? 'id']}/edit`,
      );
      for (const { name, description } of fields) {
        const isLeftOut =
          Object.hasOwn(kind.leftOut.form ?? {}, name) || description?.leftOutOf !== undefined;
        expect([form, name, isAskedIn(html, name)]).toEqual([form, name, !isLeftOut]);
      }
    }
  });

  test('is shown on pages of records in which it is filled in', async () => {
    const records = await recordsOf(kind);
    const pages = new Map<unknown, string>();
    const missing: string[] = [];
    for (const field of recordFields(kind)) {
      if (Object.hasOwn(kind.leftOut.page, field.name)) continue;
      const record = records.find((candidate) => isFilled(candidate[field.name]));
      if (!record) {
        missing.push(`${field.name}: no record has it`);
        continue;
      }
      const id = record[kind.idField ?? 'id'];
      const html =
        pages.get(id) ?? asRead((await browser.get(`${kind.path}/${id}`)).html.split('<main')[1] ?? '');
      pages.set(id, html);
      const currency = String(record['currency'] ?? 'EUR');
      for (const said of saidOf(field, record[field.name], currency)) {
        if (!html.includes(said) && !textOf(html).includes(said)) missing.push(`${field.name}: ${said}`);
      }
    }
    expect(missing).toEqual([]);
  });
});

/** What a page says of a value: its words, or the moment that they stand for. */
function saidOf(field: FieldFacts, value: unknown, currency: string): string[] {
  if (!isFilled(value)) return [];
  if (Array.isArray(value))
    return value.flatMap((one) => saidOf({ ...field, isArray: false }, one, currency));
  if (typeof value === 'object') {
    const inner = Object(value);
    if ('id' in inner) return [String(inner.name)];
    const known = field.fields.length > 0 ? field.fields : undefined;
    return known
      ? known.flatMap((part) => saidOf(part, inner[part.name], currency))
      : Object.values(inner).map(String);
  }
  const text = String(value);
  if (field.format === 'uuid') return field.name === 'uuid' ? [] : [text];
  if (field.format?.startsWith('date')) return [`datetime="${text}"`];
  const choice = field.description?.choices?.[text];
  if (choice) return [choice.en];
  if (typeof value === 'boolean') return ['Yes'];
  if (typeof value === 'number') {
    return [
      field.description?.unit === 'money' ? printMoney('en', value, currency) : printNumber('en', value),
    ];
  }
  if (text.startsWith('{')) return Object.values<string>(JSON.parse(text)).filter((part) => part !== '');
  return [text.split('\n')[0] ?? ''];
}
