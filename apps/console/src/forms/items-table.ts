import type { FieldFacts } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { button, folded, type Markup, quiet, unseen } from '../markup.ts';
import { printMoney } from '../values/numbers.ts';
import { countedTotals, type Totals } from './items-totals.ts';
import {
  below,
  changing,
  type FormState,
  fieldId,
  group,
  isUsed,
  labelled,
  labelOf,
  problemMarkup,
  ties,
} from './labelled-control.ts';
import { formSay } from './texts.ts';
import { firstOf, readingOf, rowsIn } from './typed.ts';
import { currencyIn } from './typed-numbers.ts';

/** Shows one field of a form. */
type ShowField = (
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
) => Promise<Markup | string> | Markup | string;

/** What stands in a line from left to right; what else a line has is folded away below its first cell. */
const inLine = ['name', 'product_uuid', 'quantity', 'unit', 'unit_price', 'vat_rate', 'discount_pct'];
/** Its heading is wider than what is typed below it. */
const narrow = new Set(['quantity', 'unit', 'vat_rate', 'discount_pct']);

/** The lines of an invoice, a quote or an order as a table, with what they come to below them. */
export async function itemsTable(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
  showField: ShowField,
): Promise<Markup> {
  const text = formSay(c.get('language'));
  const columns = inLine.flatMap((each) => field.fields.find((inner) => inner.name === each) ?? []);
  const others = field.fields.filter((each) => !columns.includes(each));
  const count = Math.max(rowsIn(state.typed, name), field.minItems ?? 0);
  const totals = countedTotals(state, field, name, readingOf(c));
  const currency = currencyIn(state.typed, readingOf(c));
  const money = (value: number): string => printMoney(c.get('language'), value, currency);
  const rows: Markup[] = [];
  for (let row = 0; row < count; row += 1) {
    const path = `${name}[${row}]`;
    const cells: Markup[] = [];
    for (const [at, column] of columns.entries()) {
      const inner = `${path}.${column.name}`;
      const control =
        column.name === 'name'
          ? suggestedName(c, state, column, inner)
          : await showField(c, state, column, inner);
      const more = at > 0 ? '' : await further(c, state, others, path, showField);
      const shape = narrow.has(column.name) ? html` class="narrow"` : '';
      cells.push(html`<td${shape}>${control}${more}</td>`);
    }
    const total = totals.lines.get(row);
    const shown = html`<output>${total === undefined ? '—' : money(total)}</output>`;
    const sum = html`<td class="number sum"><span class="label">${text('lineTotal')}</span>${shown}</td>`;
    const problem = problemMarkup(state, path, true);
    const steps = html`<td class="line-steps">${lineButtons(c, name, row, count)}</td>`;
    const about = html`<span class="visually-hidden">${text('lineOf', { row: row + 1 })}</span>`;
    rows.push(
      problem === ''
        ? html`<tr id="${fieldId(path)}">${cells}${sum}${steps}</tr>`
        : html`<tr><td colspan="${columns.length + 2}">${about}${problem}</td></tr><tr id="${fieldId(path)}">${cells}${sum}${steps}</tr>`,
    );
  }
  const headings = columns.map((each) => headingOf(c, each));
  const head = html`<tr>${headings}<th scope="col" class="number">${text('lineTotal')}</th><th scope="col">${unseen(text('steps'))}</th></tr>`;
  const table = html`<table class="items"><thead>${head}</thead><tbody>${rows}</tbody></table>`;
  const add = changing(text('addLine'), `add:${name}`);
  const again = button(text('recalculate'), {
    look: 'link',
    name: 'do',
    value: 'totals',
    unchecked: true,
  });
  const foot = html`<div class="items-foot"><div class="line-add">${add}${again}</div>${sums(c, totals, money)}</div>`;
  const content = html`${table}${foot}${below(c, field, name)}`;
  return html`<div class="items-of" data-items="${name}">${group(c, state, field, name, content)}</div>`;
}

const headingOf = (c: ConsoleContext, field: FieldFacts): Markup => {
  const needed = field.required && !field.nullable ? html` ${quiet('*')}` : '';
  const number = field.type === 'string' ? '' : html` class="number"`;
  return html`<th scope="col"${number}>${labelOf(c, field)}${needed}</th>`;
};

/** The name of a line: any text, and while somebody types the products that have it in their names. */
function suggestedName(c: ConsoleContext, state: FormState, field: FieldFacts, name: string): Markup {
  const limit = field.maxLength === undefined ? '' : html` maxlength="${field.maxLength}"`;
  const value = firstOf(state.typed, name);
  const input = html`<input name="${name}" type="text"${limit} value="${value}" ${ties(state, field, name)}>`;
  return labelled(
    c,
    state,
    field,
    name,
    html`<div class="finder free" data-choices="/choices/product">${input}</div>`,
  );
}

/** What a line seldom has. */
async function further(
  c: ConsoleContext,
  state: FormState,
  fields: readonly FieldFacts[],
  path: string,
  showField: ShowField,
): Promise<Markup | string> {
  if (fields.length === 0) return '';
  const shown: (Markup | string)[] = [];
  for (const field of fields) shown.push(await showField(c, state, field, `${path}.${field.name}`));
  const said = fields.map((field) => labelOf(c, field)).join(', ');
  const open = fields.some((field) => isUsed(state, `${path}.${field.name}`));
  const content = html`${shown}`;
  return open ? html`<details open><summary>${said}</summary>${content}</details>` : folded(said, content);
}

/** Moves a line among the others, or takes it out. */
function lineButtons(c: ConsoleContext, name: string, row: number, count: number): Markup {
  const text = formSay(c.get('language'));
  const line = text('lineOf', { row: row + 1 });
  const step = (sign: string, said: string, value: string): Markup =>
    html`<button class="sign" name="do" value="${value}" title="${said}" formnovalidate><span aria-hidden="true">${sign}</span>${unseen(`${said} (${line})`)}</button>`;
  const up = row > 0 ? step('↑', text('moveUp'), `up:${name}:${row}`) : '';
  const down = row < count - 1 ? step('↓', text('moveDown'), `down:${name}:${row}`) : '';
  return html`${up}${down}${step('×', text('removeRow'), `remove:${name}:${row}`)}`;
}

/** What the lines come to. */
function sums(c: ConsoleContext, totals: Totals, money: (value: number) => string): Markup {
  const text = formSay(c.get('language'));
  const lines = totals.sums.map(
    ({ name, value }) =>
      html`<div${name === 'toPay' ? html` class="to-pay"` : ''}><dt>${text(name)}</dt><dd><output>${money(value)}</output></dd></div>`,
  );
  return html`<dl class="sums">${lines}</dl>`;
}
