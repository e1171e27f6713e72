import { limits } from '@dealkeep/contract';
import { html } from 'hono/html';
import { forgeryField } from '../auth/forgery.ts';
import type { ConsoleContext } from '../context.ts';
import { countsOnce } from '../forms/form-page.ts';
import type { Markup } from '../markup.ts';
import { type QueryPairs, type ShownRecord, textIn } from '../values/shown-record.ts';
import { bulkActionsOf } from './bulk-actions.ts';
import { bulkSay } from './bulk-texts.ts';
import type { RecordKind } from './record-kind.ts';

/** The form that the boxes of a list belong to, wherever they stand. */
const formId = 'bulk';
/** The ids of what is selected. */
export const recordField = 'record';
/** Everything that the filters show, instead of what is ticked. */
export const allField = 'all';

/** Where many records of a list are sent to; the filters go along, because they say what “all” is. */
export function bulkAddress({ path }: RecordKind, action: string, pairs: QueryPairs): string {
  const query = new URLSearchParams();
  for (const [name, value] of pairs) query.append(name, value);
  return `${path}/bulk/${action}${query.size > 0 ? `?${query}` : ''}`;
}

/** The box that selects a record, in the cell of its name. */
export const selectBox = (c: ConsoleContext, kind: RecordKind, record: ShownRecord): Markup => {
  const label = bulkSay(c.get('language'))('select', { name: kind.titleOf(record) });
  return html`<label class="pick"><input type="checkbox" name="${recordField}" value="${textIn(record, kind.idField)}" form="${formId}" autocomplete="off" aria-label="${label}"></label>`;
};

/** Selects the page; without JavaScript there is none. */
export const selectPageBox = (c: ConsoleContext): Markup =>
  html`<label class="pick" hidden data-select-page><input type="checkbox" autocomplete="off" aria-label="${bulkSay(c.get('language'))('selectPage')}"></label>`;

/**
 * What can be done with the selected records of a list. It is seen while something is selected.
 *
 * @param pairs the filters and the sort as the address holds them
 * @param isWhole whether the page shows all of them
 */
export function bulkBar(c: ConsoleContext, kind: RecordKind, pairs: QueryPairs, isWhole: boolean): Markup {
  const [language, text] = [c.get('language'), bulkSay(c.get('language'))];
  const press = (name: string, said: string): Markup =>
    html`<button class="secondary" formaction="${bulkAddress(kind, name, pairs)}">${said}</button>`;
  // With JavaScript alone, and sends nothing.
  const plainButton = (selects: string, said: string): Markup =>
    html`<button type="button" class="link" data-selects="${selects}">${said}</button>`;
  const actions = bulkActionsOf(c, kind).map(({ name, label }) => press(name, label[language]));
  const all = isWhole
    ? ''
    : html`<label class="check"><input type="checkbox" name="${allField}" value="true" autocomplete="off"> ${text('allThatMatch', { max: limits.selectedRecords })}</label>`;
  return html`<form class="bulk" id="${formId}" method="post" action="${bulkAddress(kind, 'export', pairs)}" aria-label="${text('whatToDo')}">
${forgeryField(c)}${countsOnce()}<input type="hidden" name="do" value="begin">
<p class="counted" role="status" hidden>${text('selected')} <strong data-selected></strong></p>${all}
<div class="choices">${actions}${press('export', text('exportSelected'))}<span class="beside" hidden>${plainButton('page', text('selectPage'))} ${plainButton('none', text('clear'))}</span></div>
</form>`;
}
