import { randomUUID } from 'node:crypto';
import type { FieldFacts, ReferenceName, Text } from '@dealkeep/contract';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { button, choices, field, type Markup, option, quiet, unseen } from '../markup.ts';
import { say } from '../texts.ts';
import { choiceLabel, fieldHelp, fieldLabel, inOrderOfNames, isNumberField } from '../values/field-words.ts';
import {
  type Choice,
  type ChoiceGroup,
  choicesOf,
  findChoice,
  isMadeByUse,
  isSearched,
  mostChoices,
  searchName,
} from './choices.ts';
import { formSay } from './texts.ts';
import { firstOf, rowsIn, type Typed } from './typed.ts';
import type { Meaning } from './typed-numbers.ts';

/** A form as it is shown: what was typed, what is wrong with it, what was found. */
export interface FormState {
  readonly fields: readonly FieldFacts[];
  readonly typed: Typed;
  /** By the fields' paths, in the person's language. */
  readonly problems: ReadonlyMap<string, string>;
  readonly found: ReadonlyMap<string, readonly Choice[]>;
  /** What a number that was typed can mean, where that is asked. */
  readonly meanings: ReadonlyMap<string, readonly Meaning[]>;
}

/** A field whose choices stand in groups; one value stands for all of its group. */
export interface GroupedField extends FieldFacts {
  readonly groups: readonly ChoicesOfGroup[];
}

interface ChoicesOfGroup {
  readonly heading: Text;
  readonly all: string;
  readonly values: readonly string[];
}

const groupsOf = (field: FieldFacts & Partial<GroupedField>): readonly ChoicesOfGroup[] => field.groups ?? [];

/** The fields of a form, one after the other. */
export async function fieldsMarkup(
  c: ConsoleContext,
  state: FormState,
  fields = state.fields,
  prefix = '',
): Promise<Markup[]> {
  const shown: Markup[] = [];
  for (const field of fields) shown.push(await fieldMarkup(c, state, field, `${prefix}${field.name}`));
  return shown;
}

function fieldMarkup(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
): Promise<Markup> | Markup {
  if (field.type === 'object') {
    return field.isArray ? rowsMarkup(c, state, field, name) : groupMarkup(c, state, field, name);
  }
  if (field.isArray && (field.reference || field.values.length > 0)) return checkboxes(c, state, field, name);
  if (field.reference) {
    return isSearched(field.reference)
      ? searchedMarkup(c, state, field, name)
      : selectMarkup(c, state, field, name);
  }
  if (field.values.length > 0 || field.type === 'boolean') return enumMarkup(c, state, field, name);
  return inputMarkup(c, state, field, name);
}

const labelOf = (c: ConsoleContext, field: FieldFacts): string => fieldLabel(c.get('language'), field);

/** Ids hold no spaces; the names of an organization's own fields may. */
const idPart = (name: string): string => name.replaceAll(/\s/g, '_');

export const fieldId = (name: string): string => `field-${idPart(name)}`;
const helpId = (name: string): string => `help-${idPart(name)}`;
const problemId = (name: string): string => `problem-${idPart(name)}`;

/** Attributes that tie a control to its help and to what is wrong with it; the first wrong one has the focus. */
function ties({ problems }: FormState, field: FieldFacts, name: string, wide = isWide(field)): Markup {
  const wrong = problems.has(name);
  const described = [field.description?.help ? helpId(name) : '', wrong ? problemId(name) : '']
    .filter((each) => each !== '')
    .join(' ');
  const attributes = [
    described ? html` aria-describedby="${described}"` : '',
    wrong ? html` aria-invalid="true"` : '',
    isFirst(problems, name) && !wide ? html` autofocus` : '',
  ];
  return html`id="${fieldId(name)}"${attributes}`;
}

const isFirst = (problems: FormState['problems'], name: string): boolean => [...problems.keys()][0] === name;

/**
 * Whether a field can be higher than the window, or is a text of several lines, of which browsers show only the line
 * with the cursor. There the message of what is wrong has the focus, not the control.
 */
const isWide = ({ type, isArray, description }: FieldFacts): boolean =>
  type === 'object' || isArray || description?.multiline === true;

/** What is wrong with a field, right above its control: a window that shows the one shows the other. */
function problemMarkup({ problems, meanings }: FormState, name: string, wide: boolean): Markup | string {
  const problem = problems.get(name);
  if (problem === undefined) return '';
  const focus = isFirst(problems, name) && wide ? html` tabindex="-1" autofocus` : '';
  const asked = meaningButtons(name, meanings.get(name) ?? []);
  return html`<p class="field-problem" id="${problemId(name)}"${focus}>${problem}</p>${asked}`;
}

/** Help below a control. */
function below(c: ConsoleContext, field: FieldFacts, name: string): Markup | string {
  const help = fieldHelp(c.get('language'), field);
  return help === undefined ? '' : html`<p class="help" id="${helpId(name)}">${help}</p>`;
}

/** Each puts one of the numbers into the field and goes on. */
const meaningButtons = (name: string, meanings: readonly Meaning[]): Markup | string =>
  meanings.length === 0
    ? ''
    : choices(meanings.map(({ typed, shown }) => changing(shown, `means:${typed}:${name}`)));

/** A button that changes the form, and sends nothing yet. */
const changing = (said: Markup | string, value: string): Markup =>
  button(said, { look: 'secondary', name: 'do', value, unchecked: true });

function label(c: ConsoleContext, state: FormState, field: FieldFacts, name: string): Markup {
  const needed = field.required && !field.nullable ? formSay(c.get('language'))('needed') : '';
  const beside = [currencyBeside(c, state, field), needed].filter((each) => each !== '').join(' ');
  const words = html`${labelOf(c, field)}${beside ? html` ${quiet(beside)}` : ''}`;
  return html`<label for="${fieldId(name)}">${words}</label>${problemMarkup(state, name, isWide(field))}`;
}

/** A control with its label, what is wrong with it, and its help. */
const labelled = (
  c: ConsoleContext,
  state: FormState,
  facts: FieldFacts,
  name: string,
  control: Markup,
): Markup => field(label(c, state, facts, name), html`${control}${below(c, facts, name)}`);

/** The same of several controls. */
function group(
  c: ConsoleContext,
  state: FormState,
  facts: FieldFacts,
  name: string,
  controls: Markup | Markup[],
  wide?: boolean,
): Markup {
  const legend = html`<legend>${labelOf(c, facts)}</legend>${problemMarkup(state, name, true)}`;
  const content = html`${legend}${controls}`;
  return html`<fieldset tabindex="-1" ${ties(state, facts, name, wide)}>${content}</fieldset>`;
}

/** A list to choose one from, or none. */
function select(state: FormState, facts: FieldFacts, name: string, options: Markup | Markup[]): Markup {
  const none = option('', '—', firstOf(state.typed, name) === '');
  return html`<select name="${name}" ${ties(state, facts, name)}>${none}${options}</select>`;
}

/** The currency of an amount, where the form does not ask for it. */
function currencyBeside(
  c: ConsoleContext,
  { fields, typed }: FormState,
  { description }: FieldFacts,
): string {
  if (description?.unit !== 'money' || fields.some(({ name }) => name === 'currency')) return '';
  return firstOf(typed, 'currency') || sessionOf(c).organization.currency;
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
  const modes: Readonly<Record<string, string>> = { email: 'email', uri: 'url' };
  const mode = isNumberField(field) ? 'decimal' : modes[description?.opens ? 'uri' : (format ?? '')];
  const inputMode = mode ? html` inputmode="${mode}"` : '';
  const type = kinds[format ?? ''] ?? 'text';
  const offers = suggests ? html` list="${suggestionsId(name)}"` : '';
  const control = long
    ? html`<textarea name="${name}" rows="4"${inputMode}${limit} ${tied}>${value}</textarea>`
    : html`<input name="${name}" type="${type}"${inputMode}${limit} value="${value}"${offers} ${tied}>`;
  const suggested = suggests ? suggestionsMarkup(c, field, name) : '';
  return labelled(c, state, field, name, html`${control}${suggested}`);
}

const suggestionsId = (name: string): string => `suggestions-${idPart(name)}`;

/** What browsers offer while a person types. */
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

function enumMarkup(c: ConsoleContext, state: FormState, field: FieldFacts, name: string): Markup {
  const value = firstOf(state.typed, name);
  const text = say(c.get('language'));
  const options =
    field.type === 'boolean'
      ? [option('true', text('yes'), value === 'true'), option('false', text('no'), value === 'false')]
      : inOrderOfNames(c, field).map((each) => option(each, choiceLabel(c, field, each), each === value));
  return labelled(c, state, field, name, select(state, field, name, options));
}

/** One of a few choices, each with what it means below it. */
export function radiosMarkup(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  meaning: (value: string) => Markup | string,
): Markup {
  const { name } = field;
  const chosen = firstOf(state.typed, name);
  const radios = field.values.map((value) => {
    const about = meaning(value);
    const help = about === '' ? '' : html`<br><span class="help">${about}</span>`;
    const checked = value === chosen ? html` checked` : '';
    const radio = html`<input type="radio" name="${name}" value="${value}"${checked}>`;
    return html`<label class="inline">${radio}<span>${choiceLabel(c, field, value)}${help}</span></label>`;
  });
  return group(c, state, field, name, html`${radios}${below(c, field, name)}`, true);
}

/** The options of a small list; under headings where it has some. */
export const groupedOptions = (groups: readonly ChoiceGroup[], value: string): Markup =>
  html`${groups.map(({ heading, choices }) => {
    const options = choices.map((each) => option(each.id, each.name, each.id === value));
    return heading ? html`<optgroup label="${heading.name}">${options}</optgroup>` : html`${options}`;
  })}`;

/** The choices that stand under the heading that a sibling field names; all while it names none. */
function narrowed(groups: readonly ChoiceGroup[], parent: string): readonly ChoiceGroup[] {
  const own = groups.filter(({ heading }) => heading?.id === parent);
  return own.length > 0 ? own : groups;
}

async function selectMarkup(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
): Promise<Markup> {
  if (!field.reference) throw new Error('Unreachable: the field is a reference');
  const value = firstOf(state.typed, name);
  const all = isMadeByUse(field.reference)
    ? await choicesWithNew(c, field.reference, value)
    : await choicesWith(c, field.reference, [value]);
  const parent = field.description?.dependsOn;
  // A form with the sibling shows all, so that both can change at once; one without it, only what can be chosen.
  const both = state.fields.some((each) => each.name === parent);
  const groups = parent === undefined || both ? all : narrowed(all, firstOf(state.typed, parent));
  return labelled(c, state, field, name, select(state, field, name, groupedOptions(groups, value)));
}

/** The record of an id. One that the role does not show stays as it is, without its name. */
const knownChoice = async (c: ConsoleContext, reference: ReferenceName, id: string): Promise<Choice> =>
  (await findChoice(c, reference, id)) ?? { id, name: formSay(c.get('language'))('notShown') };

/** The choices of a small list, and those that are chosen already though the role does not show them. */
async function choicesWith(
  c: ConsoleContext,
  reference: ReferenceName,
  chosen: readonly string[],
): Promise<ChoiceGroup[]> {
  return withChosen(c, await choicesOf(c, reference), chosen);
}

function withChosen(c: ConsoleContext, groups: ChoiceGroup[], chosen: readonly string[]): ChoiceGroup[] {
  const known = new Set(groups.flatMap(({ choices }) => choices.map(({ id }) => id)));
  const name = formSay(c.get('language'))('notShown');
  const others = chosen.filter((id) => id !== '' && !known.has(id)).map((id) => ({ id, name }));
  return others.length > 0 ? [{ heading: undefined, choices: others }, ...groups] : groups;
}

/**
 * The choices of a list whose records are made by naming them, and a new one. What was chosen, and the whole list does not
 * have, is the new one of this form.
 */
async function choicesWithNew(
  c: ConsoleContext,
  reference: ReferenceName,
  value: string,
): Promise<ChoiceGroup[]> {
  const groups = await choicesOf(c, reference);
  const listed = groups.flatMap(({ choices }) => choices);
  const isWhole = groups.length > 0 && listed.length < mostChoices;
  const isNew = isWhole && value !== '' && !listed.some(({ id }) => id === value);
  const made = { id: isNew ? value : randomUUID(), name: formSay(c.get('language'))('newCategory') };
  const others = isNew ? groups : withChosen(c, groups, [value]);
  return [...others, { heading: undefined, choices: [made] }];
}

/** A record among many: typed for, found, then chosen. */
async function searchedMarkup(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
): Promise<Markup> {
  if (!field.reference) throw new Error('Unreachable: the field is a reference');
  const text = formSay(c.get('language'));
  const value = firstOf(state.typed, name);
  const found = state.found.get(name) ?? [];
  const current = found.find(({ id }) => id === value);
  const chosen = current ?? (value === '' ? undefined : await knownChoice(c, field.reference, value));
  const offered = chosen && !current ? [chosen, ...found] : found;
  const options = offered.map((each) => option(each.id, each.name, each.id === value));
  const find = searchName(name);
  return html`<div class="field found">${label(c, state, field, name)}
<div class="finder">${select(state, field, name, options)}
<input type="search" name="${find}" value="${firstOf(state.typed, find)}" placeholder="${text('findBy')}" aria-label="${text('find')}: ${labelOf(c, field)}">
${changing(text('find'), 'find')}</div>${below(c, field, name)}</div>`;
}

async function checkboxes(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
): Promise<Markup> {
  const chosen = new Set(state.typed.get(name) ?? []);
  const box = (id: string, shown: string): Markup =>
    html`<label class="inline"><input type="checkbox" name="${name}" value="${id}"${chosen.has(id) ? html` checked` : ''}>${shown}</label>`;
  const groups = groupsOf(field);
  const boxes =
    groups.length > 0
      ? groups.map(({ heading, all, values }) => {
          const [title, every] = [heading[c.get('language')], formSay(c.get('language'))('allOfThese')];
          return html`<fieldset><legend>${title}</legend>${box(all, every)}${values.map((each) => box(each, choiceLabel(c, field, each)))}</fieldset>`;
        })
      : (await choicesToCheck(c, field, [...chosen])).map(({ id, name: shown }) => box(id, shown));
  const laid = html`<div class="${groups.length > 0 ? 'groups' : 'checks'}">${boxes}</div>`;
  return group(c, state, field, name, html`${laid}${below(c, field, name)}`);
}

async function choicesToCheck(
  c: ConsoleContext,
  field: FieldFacts,
  chosen: readonly string[],
): Promise<readonly Choice[]> {
  if (!field.reference) return field.values.map((id) => ({ id, name: choiceLabel(c, field, id) }));
  return (await choicesWith(c, field.reference, chosen)).flatMap(({ choices }) => choices);
}

async function groupMarkup(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
): Promise<Markup> {
  const inner = await fieldsMarkup(c, state, field.fields, `${name}.`);
  return group(c, state, field, name, html`${inner}${below(c, field, name)}`);
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
