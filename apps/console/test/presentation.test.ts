import {
  type EveryOperationId,
  everyOperation,
  everyOperationId,
  type FieldFacts,
  fieldsOf,
  type OperationDeclaration,
  resources,
} from '@dealkeep/contract';
import { findSession, runAsUser, seedDemo } from '@dealkeep/core';
import { Browser, inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { formSections, pageSections } from '../src/records/arranged-fields.ts';
import { activity } from '../src/records/kinds/activity.ts';
import { booking } from '../src/records/kinds/booking.ts';
import { client } from '../src/records/kinds/client.ts';
import { company } from '../src/records/kinds/company.ts';
import { contact } from '../src/records/kinds/contact.ts';
import { invoice } from '../src/records/kinds/invoice.ts';
import { lead } from '../src/records/kinds/lead.ts';
import { order } from '../src/records/kinds/order.ts';
import { product } from '../src/records/kinds/product.ts';
import { quote } from '../src/records/kinds/quote.ts';
import { task } from '../src/records/kinds/task.ts';
import type { Presentation } from '../src/records/presentation.ts';
import { printMoney, printNumber } from '../src/values/numbers.ts';
import { textOf } from './page-parts.ts';

const kinds: readonly Presentation[] = [
  company,
  contact,
  client,
  lead,
  activity,
  task,
  invoice,
  quote,
  booking,
  order,
  product,
];
const each = kinds.map((kind) => [kind.path, kind] as const);

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

const declared = (id: string): OperationDeclaration | undefined =>
  Object.hasOwn(everyOperation, id) ? everyOperation[id as EveryOperationId] : undefined;
const plural = ({ path }: Presentation): string => path.slice(1);
const recordFields = ({ resource }: Presentation): readonly FieldFacts[] =>
  fieldsOf(resources[resource].schema);
const bodyFields = (kind: Presentation, name: 'create' | 'update'): readonly FieldFacts[] => {
  const body = declared(`${plural(kind)}.${name}`)?.body;
  return body ? fieldsOf(body) : [];
};
const namesOf = (fields: readonly FieldFacts[], prefix = ''): string[] =>
  fields.flatMap(({ name, fields: inner }) => [`${prefix}${name}`, ...namesOf(inner, `${prefix}${name}.`)]);

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

describe.each(each)('what is declared of %s', (_, kind) => {
  const columns = kind.columns.flatMap((column) => (typeof column === 'string' ? [column] : column.of));
  const inForm = [...kind.form.flatMap(({ fields }) => fields), ...(kind.more ?? [])];
  const onPage = kind.page.flatMap(({ fields }) => fields);

  test('names only fields that the contract has, each once', () => {
    const ofRecord = recordFields(kind).map(({ name }) => name);
    const ofForms = (['create', 'update'] as const).flatMap((name) =>
      bodyFields(kind, name).map((field) => field.name),
    );
    expect(ofRecord).toEqual(
      expect.arrayContaining([...columns, ...onPage, ...Object.keys(kind.leftOut.page)]),
    );
    expect(ofForms).toEqual(expect.arrayContaining([...inForm, ...Object.keys(kind.leftOut.form ?? {})]));
    expect([new Set(inForm).size, new Set(onPage).size]).toEqual([inForm.length, onPage.length]);
    const list = declared(`${plural(kind)}.list`)?.query;
    const bodies = Object.values<OperationDeclaration>(everyOperation).filter(
      (operation) => operation.resource === kind.resource,
    );
    const everywhere = new Set([
      ...namesOf(recordFields(kind)),
      ...namesOf(list ? fieldsOf(list) : []),
      ...bodies.flatMap(({ body }) => (body ? namesOf(fieldsOf(body)) : [])),
    ]);
    expect(Object.keys(kind.labels ?? {}).filter((path) => !everywhere.has(path))).toEqual([]);
  });

  test('places every field, or says why programs alone have it', () => {
    const placed = new Set([...onPage, ...Object.keys(kind.leftOut.page)]);
    expect(
      recordFields(kind)
        .map(({ name }) => name)
        .filter((name) => !placed.has(name)),
    ).toEqual([]);
    const asked = new Set([...inForm, ...Object.keys(kind.leftOut.form ?? {})]);
    const bodies = (['create', 'update'] as const).flatMap((name) => bodyFields(kind, name));
    const missing = bodies.filter(({ name, description }) => !asked.has(name) && !description?.leftOutOf);
    expect(missing.map(({ name }) => name)).toEqual([]);
    const reasons = [...Object.values(kind.leftOut.page), ...Object.values(kind.leftOut.form ?? {})];
    expect(reasons.filter((reason) => !/\w+ \w+/.test(reason))).toEqual([]);
  });

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

describe('a field that no declaration places', () => {
  const fields = recordFields(lead);
  const named = (sections: ReturnType<typeof pageSections>) =>
    sections.map((section) => section.fields.map(({ name }) => name));

  test('stands at the end of the page', () => {
    expect(
      named(pageSections([{ fields: ['name'] }, { fields: ['value'] }], fields))
        .at(-1)
        ?.slice(0, 2),
    ).toEqual(['value', 'id']);
    expect(named(pageSections([], fields))).toEqual([fields.map(({ name }) => name)]);
  });

  test('is folded away in the form, behind what is', () => {
    const some = fields.filter(({ name }) => ['name', 'value', 'note', 'status'].includes(name));
    const sections = formSections([{ fields: ['note'] }], ['value'], some);
    expect(named(sections)).toEqual([['note'], ['value', 'name', 'status']]);
    expect(sections.map(({ isFolded }) => isFolded ?? false)).toEqual([false, true]);
  });
});
