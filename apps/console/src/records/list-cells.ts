import { type FieldFacts, type Text, text } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import type { ColumnWidth, Markup } from '../markup.ts';
import { say } from '../texts.ts';
import { isNumberField } from '../values/field-words.ts';
import { arrangedMoment, daysUntil, relativeDay, relativeMoment } from '../values/relative-time.ts';
import { type ShownRecord, textIn } from '../values/shown-record.ts';
import { currencyOf, shownValue } from '../values/shown-value.ts';
import type { Composite } from './presentation.ts';

/** A field of a record as a list shows it: shorter than the record's page does. */
export function listCell(c: ConsoleContext, field: FieldFacts, record: ShownRecord): Markup | string {
  const value = record[field.name];
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value ? say(c.get('language'))('yes') : '';
  if (field.format === 'date-time') return relativeMoment(c, String(value));
  if (field.format === 'date') return relativeDay(c, String(value));
  if (Array.isArray(value)) return severalOf(value);
  return shownValue(c, field, value, currencyOf(c, record));
}

/** The whole text of a cell that a row may have no room for; nothing of what is always short. */
export function wholeText(field: FieldFacts, record: ShownRecord): string {
  const value = record[field.name];
  if (Array.isArray(value) || field.values.length > 0 || isNumberField(field)) return '';
  if (typeof value === 'object') return textIn(record, `${field.name}.name`);
  return typeof value === 'string' && !field.format?.startsWith('date') ? value : '';
}

/** How much room a field takes in a list. */
export function widthOf(field: FieldFacts): ColumnWidth | undefined {
  if (field.format === 'date' || field.format === 'date-time') return 'day';
  if (isNumberField(field)) return 'number';
  if (field.type === 'boolean') return 'word';
  const { choices } = field.description ?? {};
  if (!choices) return undefined;
  const longest = Math.max(...Object.values(choices).flatMap(({ en, sk }) => [en.length, sk.length]));
  return longest > 14 ? 'words' : longest > 8 ? 'moment' : 'word';
}

/** The first of several, and how many more there are; all of them on hover. */
function severalOf(values: readonly unknown[]): Markup | string {
  const names = values.map((each) =>
    typeof each === 'object' ? textIn(Object(each), 'name') : String(each),
  );
  const [first = '', ...others] = names;
  if (others.length === 0) return first;
  return html`<span title="${names.join(', ')}">${first} <span class="quiet">+${others.length}</span></span>`;
}

/** A customer as one name, which leads to the record that is known of them. */
export function customerColumn(
  label: Text,
  of: Composite['of'],
  customer: (record: ShownRecord) => { name: string; address?: string | undefined },
): Composite {
  return {
    label,
    of,
    whole: (record) => customer(record).name,
    shown: (_, record) => {
      const { name, address } = customer(record);
      return name !== '' && address ? html`<a href="${address}">${name}</a>` : name;
    },
  };
}

/** The first of these records that is there, as a customer. */
export function firstKnown(
  record: ShownRecord,
  known: Readonly<Record<string, string>>,
): { name: string; address?: string } {
  for (const [path, address] of Object.entries(known)) {
    const [id, name] = [textIn(record, `${path}.id`), textIn(record, `${path}.name`)];
    if (id !== '') return { name, address: `${address}/${id}` };
  }
  return { name: '' };
}

/** A time that was arranged with somebody, by its day and hour. */
export const arrangedColumn = (label: Text, name: string): Composite => ({
  label,
  of: [name],
  width: 'moment',
  shown: (c, record) => {
    const value = textIn(record, name);
    return value === '' ? '' : arrangedMoment(c, value);
  },
});

/** A day until which something is to be done; marked when it has passed and it is not done. */
export const dueColumn = (
  label: Text,
  name: string,
  isOpen: (record: ShownRecord) => boolean,
): Composite => ({
  label,
  of: [name],
  width: 'day',
  shown: (c, record) => {
    const value = textIn(record, name);
    if (value === '') return '';
    const isLate = isOpen(record) && daysUntil(c, value) < 0;
    return isLate ? html`<span class="late">${relativeDay(c, value)}</span>` : relativeDay(c, value);
  },
});

/** The names that several kinds have in common. */
export const columnLabels = {
  customer: text('Customer', 'Zákazník'),
  due: text('Due', 'Termín'),
  when: text('When', 'Kedy'),
} as const satisfies Record<string, Text>;
