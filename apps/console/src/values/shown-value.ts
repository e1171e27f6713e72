import { type FieldFacts, recordKindNames, records } from '@dealkeep/contract';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { badge, type Fact, factList, type Markup, type Tone } from '../markup.ts';
import { say } from '../texts.ts';
import { choiceLabel, fieldLabel, isNumberField } from './field-words.ts';
import { momentFormat } from './formats.ts';
import { isDecimal, printMoney, printNumber, printPercent } from './numbers.ts';

/** Where the records stand that a field shows the name of. */
const pathsOfRefs: Readonly<Record<string, string>> = Object.fromEntries(
  recordKindNames.map((name) => [name, `/${records[name].collection}`]),
);

/** How a state is coloured, besides being said; the rest stands in grey. */
const statesOf: Readonly<Record<Tone, readonly string[]>> = {
  good: ['won', 'paid', 'accepted', 'confirmed', 'completed', 'delivered'],
  bad: ['lost', 'overdue', 'rejected', 'failed', 'no_show', 'returned'],
  warning: ['high', 'unpaid', 'pending', 'ready_for_pickup'],
  info: ['open', 'new', 'issued', 'sent', 'picking', 'packed', 'shipped'],
};

const tones: ReadonlyMap<string, Tone> = new Map(
  (['good', 'bad', 'warning', 'info'] as const).flatMap((tone) =>
    statesOf[tone].map((state) => [state, tone] as const),
  ),
);

/** Words in the colour of a state; nothing where there are none. */
export const stateBadge = (said: string, state: string): Markup | string =>
  said === '' ? '' : badge(said, tones.get(state));

/**
 * A value as people read it: in their language, in the organization's time zone, money in the currency of its
 * record. Nothing where there is none.
 */
export function shownValue(
  c: ConsoleContext,
  field: FieldFacts,
  value: unknown,
  currency = sessionOf(c).organization.currency,
): Markup | string {
  if (value === null || value === undefined || value === '') return '';
  if (Array.isArray(value)) return listOf(c, field, value, currency);
  if (typeof value === 'object') return objectOf(c, field, value, currency);
  if (typeof value === 'boolean') return say(c.get('language'))(value ? 'yes' : 'no');
  if (typeof value === 'number' || (isNumberField(field) && isDecimal(String(value)))) {
    return amountOf(c, field, String(value), currency);
  }
  return textOf(c, field, String(value));
}

/** The currency that the money of a record is in: its own, else the organization's. */
export function currencyOf(c: ConsoleContext, record: Readonly<Record<string, unknown>>): string {
  const { currency } = record;
  return typeof currency === 'string' ? currency : sessionOf(c).organization.currency;
}

function amountOf(c: ConsoleContext, { description }: FieldFacts, value: string, currency: string): string {
  const language = c.get('language');
  if (description?.unit === 'money') return printMoney(language, value, currency);
  return description?.unit === 'percent' ? printPercent(language, value) : printNumber(language, value);
}

export const numberOf = (c: ConsoleContext, value: number): string => printNumber(c.get('language'), value);

/** Money of the organization, in its currency. */
export const moneyOf = (c: ConsoleContext, value: number): string =>
  printMoney(c.get('language'), value, sessionOf(c).organization.currency);

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
  if (description?.choices?.[value]) return badge(choiceLabel(c, field, value), tones.get(value));
  if (field.values.length > 0) return choiceLabel(c, field, value);
  if (format === 'uuid') return idOf(c, field, value);
  if (value.startsWith('{')) return addressLine(value);
  if (format === 'date-time') return momentOf(c, value);
  if (format === 'date') {
    const day = momentFormat(c.get('language'), { dateStyle: 'medium', timeZone: 'UTC' });
    return html`<time datetime="${value}">${day.format(new Date(`${value}T00:00:00Z`))}</time>`;
  }
  if (format === 'email') return html`<a href="mailto:${value}">${value}</a>`;
  if ((format === 'uri' || description?.opens) && /^https?:\/\//i.test(value)) {
    return html`<a href="${value}" rel="noreferrer noopener">${value}</a>`;
  }
  return description?.multiline ? html`${value.split('\n').map((line) => html`${line}<br>`)}` : value;
}

/** `client` of `client_uuid`. */
const referred = (name: string): string => name.replace(/_(?:id|uuid)$/, '');

/** A record that is named by its id alone: `client_uuid`. */
function idOf(c: ConsoleContext, { name }: FieldFacts, value: string): Markup | string {
  const text = say(c.get('language'));
  // A category is what its products share; it has no page and no name of its own.
  if (name === 'category_uuid') return html`<a href="/products?${name}=${value}">${text('ofCategory')}</a>`;
  const path = pathsOfRefs[referred(name)];
  return path ? html`<a href="${path}/${value}">${text('show')}</a>` : value;
}

/** An address that is a JSON text, on one line; any other text stays as it is. */
export function addressLine(value: string): string {
  try {
    const parts: unknown[] = Object.values(JSON.parse(value));
    return parts.filter((part) => typeof part === 'string' && part !== '').join(', ');
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}

function objectOf(c: ConsoleContext, field: FieldFacts, value: object, currency: string): Markup | string {
  const { id, name }: { id?: unknown; name?: unknown } = { ...value };
  if (typeof id === 'string') {
    const path = pathsOfRefs[referred(field.name)];
    const label = typeof name === 'string' && name !== '' ? name : say(c.get('language'))('unnamed');
    return path ? html`<a href="${path}/${id}">${label}</a>` : label;
  }
  const parts = factsIn(c, field, value, currency);
  return parts.length > 0 ? factList(parts) : '';
}

/** What is known of a thing that is no record of its own, each part by its label; its name first. */
export function factsIn(c: ConsoleContext, field: FieldFacts, value: object, currency: string): Fact[] {
  const { name, ...rest }: { name?: unknown } & Record<string, unknown> = { ...value };
  const known = new Map(field.fields.map((each) => [each.name, each]));
  return Object.entries({ ...(name === undefined ? {} : { name }), ...rest }).flatMap(
    ([key, part]): Fact[] => {
      const inner = known.get(key);
      const shown = inner ? shownValue(c, inner, part, currency) : String(part ?? '');
      if (shown === '') return [];
      return [[inner ? fieldLabel(c.get('language'), inner) : key, shown]];
    },
  );
}

function listOf(
  c: ConsoleContext,
  field: FieldFacts,
  values: readonly unknown[],
  currency: string,
): Markup | string {
  if (values.length === 0) return '';
  const [first] = values;
  if (typeof first !== 'object' || first === null || (!field.resource && 'id' in first)) {
    const parts = values.map((each) => shownValue(c, { ...field, isArray: false }, each, currency));
    return html`${parts.map((part, index) => html`${index > 0 ? ', ' : ''}${part}`)}`;
  }
  if (field.resource) return linksTo(c, pathsOfRefs[field.resource], values);
  const language = c.get('language');
  const recordOfRow = recordNamedBy(field.fields);
  // A column of which no row says anything takes room from the others.
  const says = ({ name }: FieldFacts): boolean =>
    values.some((each) => (Reflect.get(Object(each), name) ?? '') !== '');
  const columns = field.fields.filter(
    (each) => each.name !== 'uuid' && each.name !== recordOfRow?.name && says(each),
  );
  const label = fieldLabel(language, field);
  const headings = columns.map(
    (column) => html`<th scope="col"${numberClass(column)}>${fieldLabel(language, column)}</th>`,
  );
  const rows = values.map((each) => {
    const cells = columns.map((column) => {
      const value = shownValue(c, column, Reflect.get(Object(each), column.name), currency);
      const id =
        recordOfRow && column.name === 'name' ? Reflect.get(Object(each), recordOfRow.name) : undefined;
      const shown =
        recordOfRow && typeof id === 'string'
          ? html`<a href="${recordOfRow.path}/${id}">${value}</a>`
          : value;
      return html`<td${numberClass(column)} data-label="${fieldLabel(language, column)}">${shown}</td>`;
    });
    return html`<tr>${cells}</tr>`;
  });
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${label}"><table>
<thead><tr>${headings}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/**
 * The record that a row is made of, where it has a name and says that record by its id alone: its name leads there.
 */
function recordNamedBy(fields: readonly FieldFacts[]): { name: string; path: string } | undefined {
  if (!fields.some(({ name }) => name === 'name')) return undefined;
  return fields.flatMap(({ name, format }) => {
    const path = format === 'uuid' ? pathsOfRefs[referred(name)] : undefined;
    return path ? [{ name, path }] : [];
  })[0];
}

/** Numbers stand to the right, in the heading as below it. */
const numberClass = (field: FieldFacts): Markup | string =>
  isNumberField(field) ? html` class="number"` : '';

function linksTo(c: ConsoleContext, path: string | undefined, values: readonly unknown[]): Markup {
  const unnamed = say(c.get('language'))('unnamed');
  const links = values.map((each) => {
    const { id, name }: { id?: unknown; name?: unknown } = Object(each);
    const label = typeof name === 'string' && name !== '' ? name : unnamed;
    return path ? html`<li><a href="${path}/${id}">${label}</a></li>` : html`<li>${label}</li>`;
  });
  return html`<ul class="card links">${links}</ul>`;
}
