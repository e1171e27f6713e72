import { randomUUID } from 'node:crypto';
import type { FieldFacts, ReferenceName } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { type Markup, option, quiet } from '../markup.ts';
import { say } from '../texts.ts';
import { choiceLabel, inOrderOfNames } from '../values/field-words.ts';
import {
  type Choice,
  type ChoiceGroup,
  choicesOf,
  findChoice,
  findCustomer,
  isMadeByUse,
  mostChoices,
  searchName,
} from './choices.ts';
import { type CustomerField, customerIn, customerName, customerPaths } from './customer-choice.ts';
import { inlineOf } from './inline-record.ts';
import {
  below,
  changing,
  type FormState,
  group,
  label,
  labelled,
  labelOf,
  ties,
} from './labelled-control.ts';
import { formSay, formTexts } from './texts.ts';
import { firstOf } from './typed.ts';

/** A field of several values whose choices are known already. */
export interface GroupedField extends FieldFacts {
  readonly groups: readonly CheckedGroup[];
  /** There are more than stand here: they are found by their names. */
  readonly isSearched?: boolean;
}

interface CheckedGroup extends ChoiceGroup {
  /** A value that stands for all of the group. */
  readonly all?: string;
}

const ownGroups = (field: FieldFacts & Partial<GroupedField>): GroupedField['groups'] | undefined =>
  field.groups;

/** Whether several values of a field are ticked in a list. */
export const isChecked = (field: FieldFacts): boolean =>
  field.isArray &&
  (field.reference !== undefined || field.values.length > 0 || ownGroups(field) !== undefined);

/** A list of more is looked through by typing, where a script helps. */
const mostAtAGlance = 12;

/** A list to choose one from, or none. */
function select(
  c: ConsoleContext,
  state: FormState,
  facts: FieldFacts,
  name: string,
  options: { readonly markup: Markup | Markup[]; readonly count: number },
): Markup {
  const none = option('', '—', firstOf(state.typed, name) === '');
  const list = html`<select name="${name}" ${ties(state, facts, name)}>${none}${options.markup}</select>`;
  if (options.count <= mostAtAGlance) return list;
  const say = formSay(c.get('language'));
  return html`<div class="listed" data-found="${say('found')}" data-none="${say('nothingFits')}">${list}</div>`;
}

export function enumMarkup(c: ConsoleContext, state: FormState, field: FieldFacts, name: string): Markup {
  const value = firstOf(state.typed, name);
  const text = say(c.get('language'));
  const options =
    field.type === 'boolean'
      ? [option('true', text('yes'), value === 'true'), option('false', text('no'), value === 'false')]
      : inOrderOfNames(c, field).map((each) => option(each, choiceLabel(c, field, each), each === value));
  return labelled(
    c,
    state,
    field,
    name,
    select(c, state, field, name, { markup: options, count: options.length }),
  );
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
const groupedOptions = (groups: readonly ChoiceGroup[], value: string): Markup =>
  html`${groups.map(({ heading, choices }) => {
    const options = choices.map((each) => option(each.id, each.name, each.id === value));
    return heading ? html`<optgroup label="${heading.name}">${options}</optgroup>` : html`${options}`;
  })}`;

/** The choices that stand under the heading that a sibling field names; all while it names none. */
function narrowed(groups: readonly ChoiceGroup[], parent: string): readonly ChoiceGroup[] {
  const own = groups.filter(({ heading }) => heading?.id === parent);
  return own.length > 0 ? own : groups;
}

/** One of a small list; what is offered besides stands first. */
export async function selectMarkup(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
  besides: readonly Choice[] = [],
): Promise<Markup> {
  if (!field.reference) throw new Error('Unreachable: the field is a reference');
  const value = firstOf(state.typed, name);
  const first = besides.length > 0 ? [{ heading: undefined, choices: besides }] : [];
  const all = isMadeByUse(field.reference)
    ? await choicesWithNew(c, field.reference, value)
    : withChosen(c, [...first, ...(await choicesOf(c, field.reference))], [value]);
  const parent = field.description?.dependsOn;
  // A form with the sibling shows all, so that both can change at once; one without it, only what can be chosen.
  const both = state.fields.some((each) => each.name === parent);
  const groups = parent === undefined || both ? all : narrowed(all, firstOf(state.typed, parent));
  const count = groups.reduce((sum, { choices }) => sum + choices.length, 0);
  const markup = groupedOptions(groups, value);
  return labelled(c, state, field, name, select(c, state, field, name, { markup, count }));
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
 * The choices of a list whose records are made by naming them, and a new one. What was chosen, and the whole list
 * does not have, is the new one of this form.
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
export async function searchedMarkup(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
): Promise<Markup> {
  const { reference, description } = field;
  if (!reference) throw new Error('Unreachable: the field is a reference');
  const parent = description?.dependsOn;
  const inline = inlineOf(state.fields, field);
  const from = {
    address: `/choices/${reference}`,
    // In a row, the sibling stands in the same row.
    ...(parent === undefined ? {} : { parent: `${name.slice(0, -field.name.length)}${parent}` }),
    ...(inline === undefined ? {} : { inline: inline.name }),
  };
  const known = (id: string) => knownChoice(c, reference, id);
  return finding(c, state, field, name, { control: name, value: firstOf(state.typed, name), known, from });
}

/** Who an invoice, a quote or an order is for: one search among clients and companies. */
export async function customerMarkup(
  c: ConsoleContext,
  state: FormState,
  field: CustomerField,
  name: string,
): Promise<Markup> {
  const paths = customerPaths(field, name);
  // Inside of a customer, it is one who is known already.
  const label = name.includes('.') ? formTexts.knownCustomer : formTexts.customer;
  const shown = { ...field, description: { ...field.description, label } };
  // What is wrong with either of the two stands beside the one choice.
  const problems = new Map(
    [...state.problems].map(([path, said]) => [path === paths.company ? name : path, said]),
  );
  const known = async (value: string) =>
    (await findCustomer(c, value)) ?? { id: value, name: formSay(c.get('language'))('notShown') };
  const from = { address: '/choices/customer' };
  const value = customerIn(state.typed, paths);
  return finding(c, { ...state, problems }, shown, name, { control: customerName(name), value, known, from });
}

interface Finding {
  /** The name of the control that holds what is chosen. */
  readonly control: string;
  readonly value: string;
  readonly known: (value: string) => Promise<Choice>;
  /** Where a script asks while somebody types, and which fields it looks at. */
  readonly from: { readonly address: string; readonly parent?: string; readonly inline?: string };
}

async function finding(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
  { control, value, known, from }: Finding,
): Promise<Markup> {
  const found = state.found.get(name) ?? [];
  const current = found.find(({ id }) => id === value);
  const chosen = current ?? (value === '' ? undefined : await known(value));
  const offered = chosen && !current ? [chosen, ...found] : found;
  const options = offered.map((each) => option(each.id, each.name, each.id === value));
  const none = option('', '—', value === '');
  const list = html`<select name="${control}" ${ties(state, field, name)}>${none}${options}</select>`;
  const asks = Object.entries({ choices: from.address, parent: from.parent, inline: from.inline }).map(
    ([key, given]) => (given === undefined ? '' : html` data-${key}="${given}"`),
  );
  return html`<div class="field found">${label(c, state, field, name)}
<div class="finder"${asks}>${list}
${finderParts(c, state, field, name)}</div>${below(c, field, name)}</div>`;
}

/** Where one types what is looked for among many choices. */
function finderParts(c: ConsoleContext, { typed }: FormState, field: FieldFacts, name: string): Markup {
  const text = formSay(c.get('language'));
  const find = searchName(name);
  return html`<input type="search" name="${find}" value="${firstOf(typed, find)}" placeholder="${text('findBy')}" aria-label="${text('find')}: ${labelOf(c, field)}">
${changing(text('find'), 'find')}`;
}

/**
 * Above a list that is too long to be shown as a whole: what is ticked stays, and what is found stands beside it.
 */
function finder(c: ConsoleContext, state: FormState, field: FieldFacts, name: string): Markup {
  const about = quiet(formSay(c.get('language'))('moreByName'));
  return html`<p>${about}</p><div class="finder">${finderParts(c, state, field, name)}</div>`;
}

export async function checkboxes(
  c: ConsoleContext,
  state: FormState,
  field: FieldFacts,
  name: string,
): Promise<Markup> {
  const text = formSay(c.get('language'));
  const chosen = new Set(state.typed.get(name) ?? []);
  const box = (id: string, shown: string): Markup =>
    html`<label class="inline"><input type="checkbox" name="${name}" value="${id}"${chosen.has(id) ? html` checked` : ''}>${shown}</label>`;
  const groups = await groupsToCheck(c, field, [...chosen]);
  const isApart = groups.some(({ heading }) => heading !== undefined);
  const boxes = groups.map(({ heading, all, choices }) => {
    const every = all === undefined ? '' : box(all, text('allOfThese'));
    const listed = html`${every}${choices.map(({ id, name: shown }) => box(id, shown))}`;
    if (heading) return html`<fieldset><legend>${heading.name}</legend>${listed}</fieldset>`;
    return isApart ? html`<div>${listed}</div>` : listed;
  });
  const isEmpty = groups.every(({ choices }) => choices.length === 0);
  const laid = isEmpty
    ? html`<p>${quiet(text('nothingToChoose'))}</p>`
    : html`<div class="${isApart ? 'groups' : 'checks'}">${boxes}</div>`;
  const find = isLong(field) ? finder(c, state, field, name) : '';
  return group(c, state, field, name, html`${find}${laid}${below(c, field, name)}`);
}

const isLong = (field: FieldFacts & Partial<GroupedField>): boolean => field.isSearched === true;

async function groupsToCheck(
  c: ConsoleContext,
  field: FieldFacts,
  chosen: readonly string[],
): Promise<readonly CheckedGroup[]> {
  if (field.reference) return choicesWith(c, field.reference, chosen);
  const choices = field.values.map((id) => ({ id, name: choiceLabel(c, field, id) }));
  return ownGroups(field) ?? [{ heading: undefined, choices }];
}
