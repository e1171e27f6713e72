import type { FieldFacts } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { enumMarkup, selectMarkup } from '../forms/choice-controls.ts';
import { choicesOf, findChoice, isSearched } from '../forms/choices.ts';
import { fieldsMarkup } from '../forms/field-markup.ts';
import { type FormState, fieldId } from '../forms/labelled-control.ts';
import { firstOf } from '../forms/typed.ts';
import { button, hiddenField, type Markup, unseen } from '../markup.ts';
import { choiceLabel, fieldLabel } from '../values/field-words.ts';
import type { QueryPairs } from '../values/shown-record.ts';
import { shownValue } from '../values/shown-value.ts';
import type { RecordKind } from './record-kind.ts';
import { amongRelativeDays, meAmong, relativeText } from './relative-values.ts';
import { recordSay } from './texts.ts';

const isSearch = ({ name }: FieldFacts): boolean => name === 'q';

/** What people filter by most stands first: states, then whose it is, then the rest, moments at the end. */
function rank({ values, type, reference, format }: FieldFacts): number {
  if (values.length > 0 && values.length <= 10) return 0;
  if (type === 'boolean') return 1;
  if (reference) return isSearched(reference) ? 3 : 2;
  return format === 'date' || format === 'date-time' ? 5 : 4;
}

/**
 * The search box, and the menu of filters beside it. Without JavaScript the menu unfolds to all of them with one
 * button; with it, one is chosen at a time and applies at once.
 */
export async function filterBar(
  c: ConsoleContext,
  { path, filters }: RecordKind,
  state: FormState,
  { sort, plural }: { sort: string | undefined; plural: string },
): Promise<Markup> {
  const text = recordSay(c.get('language'));
  const searched = filters.find(isSearch);
  const others = filters.filter((field) => !isSearch(field)).toSorted((a, b) => rank(a) - rank(b));
  const isWrong = others.some(({ name }) => state.problems.has(name));
  const parts: Markup[] = [];
  for (const field of others) {
    const controls = await filterMarkup(c, state, field);
    parts.push(
      html`<div class="filter" data-filter="${field.name}" data-label="${fieldLabel(c.get('language'), field)}">${controls}</div>`,
    );
  }
  const label = `${text('search')}: ${plural}`;
  const box = searched
    ? html`<input id="${fieldId('q')}" type="search" name="q" value="${firstOf(state.typed, 'q')}" placeholder="${text('search')}" aria-label="${label}">`
    : '';
  return html`<form class="list-filters" action="${path}" role="search" aria-label="${text('filter')}" data-filters>
<button class="visually-hidden" tabindex="-1" aria-hidden="true">${text('filter')}</button>
${box}<details class="filter-menu"${isWrong ? html` open` : ''}><summary class="button secondary">${text('filter')}</summary>
<div class="panel">${parts}${button(text('apply'))}</div></details>
${sort ? hiddenField('sort', sort) : ''}
</form>`;
}

/** A filter that means another day tomorrow, or whoever looks, stays so when others are set beside it. */
async function filterMarkup(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
): Promise<Markup | Markup[]> {
  const { name, reference } = field;
  const asked = c.req.query(name) ?? '';
  const isRelative = relativeText(field, asked) !== undefined;
  const shown = isRelative ? { ...state, typed: new Map([...state.typed, [name, [asked]]]) } : state;
  if (reference === 'user') return selectMarkup(c, shown, field, name, [meAmong(c.get('language'))]);
  return isRelative ? enumMarkup(c, shown, amongRelativeDays(field), name) : fieldsMarkup(c, state, [field]);
}

/** What a list is filtered by, each with a way to take it out. */
export async function filterChips(
  c: ConsoleContext,
  { filters }: RecordKind,
  pairs: QueryPairs,
  { without, all }: { without: (name: string) => string; all: string },
): Promise<Markup | string> {
  const text = recordSay(c.get('language'));
  const chips: Markup[] = [];
  for (const field of filters.filter((each) => !isSearch(each))) {
    const value = pairs.find(([name]) => name === field.name)?.[1];
    if (value === undefined) continue;
    const relative = relativeText(field, c.req.query(field.name) ?? '')?.[c.get('language')];
    const said = html`${fieldLabel(c.get('language'), field)}: ${relative ?? (await shownFilter(c, field, value))}`;
    const remove = html`<a href="${without(field.name)}">×${unseen(html` ${text('removeFilter')}: ${said}`)}</a>`;
    chips.push(html`<li class="chip" data-chip="${field.name}"><span>${said}</span>${remove}</li>`);
  }
  if (chips.length === 0) return '';
  const clear =
    chips.length > 1 ? html`<li><a class="clear" href="${all}">${text('clearFilters')}</a></li>` : '';
  return html`<ul class="chips" aria-label="${text('filters')}">${chips}${clear}</ul>`;
}

/** A filter's value as people read it; of several that are separated by commas, each. */
async function shownFilter(c: ConsoleContext, field: FieldFacts, value: string): Promise<Markup | string> {
  const { reference, values } = field;
  if (reference) {
    const names = await Promise.all(value.split(',').map((id) => nameOf(c, reference, id)));
    return names.join(', ');
  }
  if (values.length > 0) {
    return value
      .split(',')
      .map((each) => choiceLabel(c, field, each))
      .join(', ');
  }
  if (field.type === 'boolean') return recordSay(c.get('language'))(value === 'true' ? 'yes' : 'no');
  const isReadable = field.format?.startsWith('date') && !Number.isNaN(Date.parse(value));
  return isReadable ? shownValue(c, field, value) : value;
}

/** What an id is called; of one that the role does not show, that there is one. */
async function nameOf(
  c: ConsoleContext,
  reference: NonNullable<FieldFacts['reference']>,
  id: string,
): Promise<string> {
  const choices = isSearched(reference)
    ? [await findChoice(c, reference, id)]
    : (await choicesOf(c, reference)).flatMap((group) => [
        ...(group.heading ? [group.heading] : []),
        ...group.choices,
      ]);
  return choices.find((choice) => choice?.id === id)?.name ?? recordSay(c.get('language'))('notShown');
}
