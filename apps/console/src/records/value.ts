import type { FieldFacts } from '@dealkeep/contract';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { type Fact, factList } from '../fact-list.ts';
import { momentFormat, numberFormat } from '../formats.ts';
import type { Markup } from '../markup.ts';
import { say } from '../texts.ts';
import { choiceLabel } from './choice-label.ts';
import { recordSay } from './texts.ts';
import { toneOf } from './tone.ts';

/** Where the records stand that a field shows the name of. */
const pathsOfRefs: Readonly<Record<string, string>> = {
  company: '/companies',
  contact: '/contacts',
  client: '/clients',
  lead: '/leads',
  invoice: '/invoices',
  product: '/products',
};

/** A value as people read it: in their language, in the organization's time zone. Nothing where there is none. */
export function shownValue(c: ConsoleContext, field: FieldFacts, value: unknown): Markup | string {
  if (value === null || value === undefined || value === '') return '';
  if (Array.isArray(value)) return listOf(c, field, value);
  if (typeof value === 'object') return objectOf(c, field, value);
  if (typeof value === 'boolean') return say(c.get('language'))(value ? 'yes' : 'no');
  if (typeof value === 'number') return numberOf(c, value);
  return textOf(c, field, String(value));
}

export const numberOf = (c: ConsoleContext, value: number): string =>
  numberFormat(c.get('language'), {
    minimumFractionDigits: Number.isInteger(value) ? 0 : 2,
    maximumFractionDigits: 6,
  }).format(value);

/** A moment in the organization's time zone. */
export const momentOf = (c: ConsoleContext, value: string): Markup =>
  html`<time datetime="${value}">${momentText(c, value)}</time>`;

export function momentText(c: ConsoleContext, value: string): string {
  const { timeZone } = sessionOf(c).organization;
  const shown = momentFormat(c.get('language'), { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return shown.format(new Date(value));
}

function textOf(c: ConsoleContext, field: FieldFacts, value: string): Markup | string {
  const { format, description } = field;
  if (description?.choices?.[value])
    return html`<span class="badge${toneOf(value)}">${choiceLabel(c, field, value)}</span>`;
  if (field.values.length > 0) return choiceLabel(c, field, value);
  if (format === 'uuid') return idOf(c, field, value);
  if (value.startsWith('{')) return addressOf(value);
  if (format === 'date-time') return momentOf(c, value);
  if (format === 'date') {
    const day = momentFormat(c.get('language'), { dateStyle: 'medium', timeZone: 'UTC' });
    return html`<time datetime="${value}">${day.format(new Date(`${value}T00:00:00Z`))}</time>`;
  }
  if (format === 'email') return html`<a href="mailto:${value}">${value}</a>`;
  if (format === 'uri' && /^https?:/.test(value)) {
    return html`<a href="${value}" rel="noreferrer noopener">${value}</a>`;
  }
  return description?.multiline ? html`${value.split('\n').map((line) => html`${line}<br>`)}` : value;
}

/** A record that is named by its id alone: `client_uuid`. */
function idOf(c: ConsoleContext, { name }: FieldFacts, value: string): Markup | string {
  const path = pathsOfRefs[name.replace(/_(?:id|uuid)$/, '')];
  return path ? html`<a href="${path}/${value}">${recordSay(c.get('language'))('show')}</a>` : value;
}

/** An address that is a JSON text, on one line; any other text stays as it is. */
function addressOf(value: string): string {
  try {
    const parts: unknown[] = Object.values(JSON.parse(value));
    return parts.filter((part) => typeof part === 'string' && part !== '').join(', ');
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}

function objectOf(c: ConsoleContext, field: FieldFacts, value: object): Markup | string {
  const { id, name, ...rest }: { id?: unknown; name?: unknown } & Record<string, unknown> = { ...value };
  if (typeof id === 'string') {
    const path = pathsOfRefs[field.name];
    const label = typeof name === 'string' && name !== '' ? name : say(c.get('language'))('unnamed');
    return path ? html`<a href="${path}/${id}">${label}</a>` : label;
  }
  const known = new Map(field.fields.map((each) => [each.name, each]));
  const parts = Object.entries({ ...(name === undefined ? {} : { name }), ...rest }).flatMap(
    ([key, part]): Fact[] => {
      const inner = known.get(key);
      const shown = inner ? shownValue(c, inner, part) : String(part ?? '');
      if (shown === '') return [];
      return [[inner?.description?.label[c.get('language')] ?? key, shown]];
    },
  );
  return parts.length > 0 ? factList(parts) : '';
}

function listOf(c: ConsoleContext, field: FieldFacts, values: readonly unknown[]): Markup | string {
  if (values.length === 0) return '';
  const [first] = values;
  if (typeof first !== 'object' || first === null || (!field.resource && 'id' in first)) {
    const parts = values.map((each) => shownValue(c, { ...field, isArray: false }, each));
    return html`${parts.map((part, index) => html`${index > 0 ? ', ' : ''}${part}`)}`;
  }
  if (field.resource) return linksTo(c, pathsOfRefs[field.resource], values);
  const language = c.get('language');
  const columns = field.fields.filter(({ name }) => name !== 'uuid');
  const label = field.description?.label[language] ?? field.name;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${label}"><table>
<thead><tr>${columns.map(({ description, name }) => html`<th scope="col">${description?.label[language] ?? name}</th>`)}</tr></thead>
<tbody>${values.map((each) => html`<tr>${columns.map((column) => html`<td${column.type === 'number' ? html` class="number"` : ''} data-label="${column.description?.label[language] ?? column.name}">${shownValue(c, column, Reflect.get(Object(each), column.name))}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

function linksTo(c: ConsoleContext, path: string | undefined, values: readonly unknown[]): Markup {
  const unnamed = say(c.get('language'))('unnamed');
  const links = values.map((each) => {
    const { id, name }: { id?: unknown; name?: unknown } = Object(each);
    const label = typeof name === 'string' && name !== '' ? name : unnamed;
    return path ? html`<li><a href="${path}/${id}">${label}</a></li>` : html`<li>${label}</li>`;
  });
  return html`<ul class="card links">${links}</ul>`;
}
