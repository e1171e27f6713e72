import { type FieldFacts, inLowerCase, text } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { type Markup, option, unseen } from '../markup.ts';
import { choiceLabel, isNumberField } from '../values/field-words.ts';
import {
  checkboxes,
  customerMarkup,
  enumMarkup,
  isChecked,
  searchedMarkup,
  selectMarkup,
} from './choice-controls.ts';
import { isSearched } from './choices.ts';
import { isAskedElsewhere, isCustomer } from './customer-choice.ts';
import { inlineOf, isInline } from './inline-record.ts';
import { itemsTable } from './items-table.ts';
import { isCounted } from './items-totals.ts';
import {
  below,
  changing,
  type FormState,
  fieldId,
  group,
  idPart,
  isUsed,
  labelled,
  labelOf,
  problemMarkup,
  ties,
} from './labelled-control.ts';
import { formSay } from './texts.ts';
import { firstOf, rowsIn } from './typed.ts';

/** The fields of a form, one after the other. */
export async function fieldsMarkup(
  c: ConsoleContext,
  state: FormState,
  fields = state.fields,
  prefix = '',
): Promise<Markup[]> {
  const shown: Markup[] = [];
  for (const field of fields)
    shown.push(html`${await fieldMarkup(c, state, field, `${prefix}${field.name}`)}`);
  return shown;
}

function fieldMarkup(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
): Promise<Markup> | Markup | string {
  if (isAskedElsewhere(field) || isInline(state.fields, field)) return '';
  if (isCustomer(field)) return customerMarkup(c, state, field, name);
  if (isCounted(field)) return itemsTable(c, state, field, name, fieldMarkup);
  if (field.type === 'object') {
    return field.isArray ? rowsMarkup(c, state, field, name) : groupMarkup(c, state, field, name);
  }
  if (isChecked(field)) return checkboxes(c, state, field, name);
  if (field.reference) {
    return isSearched(field.reference)
      ? withInline(c, state, field, name)
      : selectMarkup(c, state, field, name);
  }
  if (field.values.length > 0 || field.type === 'boolean') return enumMarkup(c, state, field, name);
  return inputMarkup(c, state, field, name);
}

const withoutHelp = ({ description, ...field }: FieldFacts): FieldFacts => {
  const { help, ...rest } = description ?? { label: text(field.name, field.name) };
  return { ...field, description: rest };
};

/** A search with what describes a new record below it, where the form has that. */
async function withInline(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
): Promise<Markup> {
  const search = await searchedMarkup(c, state, field, name);
  const inline = inlineOf(state.fields, field);
  if (!inline) return search;
  const open = isUsed(state, inline.name) ? html` open` : '';
  const summary = formSay(c.get('language'))('inlineNew', { what: inLowerCase(labelOf(c, field)) });
  const problem = problemMarkup(state, inline.name, true);
  const content = html`${problem}<div class="columns">${await fieldsMarkup(c, state, inline.fields.map(withoutHelp), `${inline.name}.`)}</div>`;
  return html`<div class="or-new">${search}<details class="inline-new" id="${fieldId(inline.name)}"${open}><summary>${summary}</summary>${content}</details></div>`;
}

function inputMarkup(c: ConsoleContext, state: FormState, field: FieldFacts, name: string): Markup {
  const { format, maxLength, description } = field;
  if (description?.password) return passwordMarkup(c, state, field, name);
  const value = firstOf(state.typed, name);
  const tied = ties(state, field, name);
  const suggests = description?.suggestions !== undefined;
  const long = description?.multiline || field.isArray;
  const limit = maxLength === undefined || field.isArray || suggests ? '' : html` maxlength="${maxLength}"`;
  const kinds: Readonly<Record<string, string>> = {
    date: 'date',
    'date-time': 'datetime-local',
  };
  // A browser's own check of an e-mail or an address would speak its language, and of one field alone.
  const modes: Readonly<Record<string, string>> = { email: 'email', uri: 'url', phone: 'tel' };
  const about = description?.opens ? 'uri' : field.name === 'phone' ? 'phone' : (format ?? '');
  const mode = isNumberField(field) ? 'decimal' : modes[about];
  const inputMode = mode ? html` inputmode="${mode}"` : '';
  const type = kinds[format ?? ''] ?? 'text';
  // Browsers offer what was typed before in a field of this name; a secret is not to be among it.
  const unkept = description?.secret ? html` autocomplete="off" spellcheck="false"` : '';
  const offers = suggests ? html` list="${suggestionsId(name)}"` : '';
  const control = long
    ? html`<textarea name="${name}" rows="4"${inputMode}${limit} ${tied}>${value}</textarea>`
    : html`<input name="${name}" type="${type}"${inputMode}${limit} value="${value}"${offers}${unkept} ${tied}>`;
  const suggested = suggests ? suggestionsMarkup(c, field, name) : '';
  return labelled(c, state, field, name, html`${control}${suggested}`);
}

const suggestionsId = (name: string): string => `suggestions-${idPart(name)}`;

/** What browsers offer while a user types. */
const suggestionsMarkup = (c: ConsoleContext, field: FieldFacts, name: string): Markup => {
  const values = field.description?.suggestions ?? [];
  const options = values.map((value) => option(value, choiceLabel(c, field, value)));
  return html`<datalist id="${suggestionsId(name)}">${options}</datalist>`;
};

/** What was typed is never sent back. */
function passwordMarkup(c: ConsoleContext, state: FormState, field: FieldFacts, name: string): Markup {
  const fills = `${field.description?.password}-password`;
  const limits = html`autocomplete="${fills}" maxlength="${field.maxLength}"`;
  const control = html`<input name="${name}" type="password" ${limits} ${ties(state, field, name)}>`;
  return labelled(c, state, field, name, control);
}

async function groupMarkup(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
): Promise<Markup> {
  const inner = await fieldsMarkup(c, state, field.fields, `${name}.`);
  return group(c, state, field, name, html`<div class="fields">${inner}</div>${below(c, field, name)}`);
}

async function rowsMarkup(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
): Promise<Markup> {
  const text = formSay(c.get('language'));
  const rows: Markup[] = [];
  const count = Math.max(rowsIn(state.typed, name), field.minItems ?? 0);
  for (let row = 0; row < count; row += 1) {
    const inner = await fieldsMarkup(c, state, field.fields, `${name}[${row}].`);
    const legend = `${labelOf(c, field)}: ${row + 1}`;
    const problem = problemMarkup(state, `${name}[${row}]`, true);
    const remove = changing(html`${text('removeRow')}${unseen(` (${legend})`)}`, `remove:${name}:${row}`);
    const content = html`<legend>${legend}</legend>${problem}<div class="columns">${inner}</div>${remove}`;
    rows.push(html`<fieldset class="row" id="${fieldId(`${name}[${row}]`)}">${content}</fieldset>`);
  }
  const add = changing(text('addRow'), `add:${name}`);
  return group(c, state, field, name, html`${rows}${below(c, field, name)}${add}`);
}
