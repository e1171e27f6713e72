import type { FieldFacts } from '@dealkeep/contract';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { button, choices, field, type Markup, quiet } from '../markup.ts';
import { fieldHelp, fieldLabel } from '../values/field-words.ts';
import type { Choice } from './choices.ts';
import { formSay } from './texts.ts';
import { firstOf, type Typed } from './typed.ts';
import type { Meaning } from './typed-numbers.ts';

/** A form as it is shown: what was typed, what is wrong with it, what was found. */
export interface FormState {
  readonly fields: readonly FieldFacts[];
  readonly typed: Typed;
  /** By the fields' paths, in the user's language. */
  readonly problems: ReadonlyMap<string, string>;
  readonly found: ReadonlyMap<string, readonly Choice[]>;
  /** What a number that was typed can mean, where that is asked. */
  readonly meanings: ReadonlyMap<string, readonly Meaning[]>;
  /** The field that has the focus where nothing is wrong. */
  readonly focus?: string | undefined;
  /** What a new form was filled in with before somebody typed. */
  readonly begins?: Typed | undefined;
}

export const labelOf = (c: ConsoleContext, field: FieldFacts): string => fieldLabel(c.get('language'), field);

/** Ids hold no spaces; the names of an organization's own fields may. */
export const idPart = (name: string): string => name.replaceAll(/\s/g, '_');

export const fieldId = (name: string): string => `field-${idPart(name)}`;
const helpId = (name: string): string => `help-${idPart(name)}`;
const problemId = (name: string): string => `problem-${idPart(name)}`;

/** Attributes that tie a control to its help and to what is wrong with it; the first wrong one has the focus. */
export function ties(state: FormState, field: FieldFacts, name: string, wide = isWide(field)): Markup {
  const { problems, focus } = state;
  const wrong = problems.has(name);
  const described = [field.description?.help ? helpId(name) : '', wrong ? problemId(name) : '']
    .filter((each) => each !== '')
    .join(' ');
  const attributes = [
    described ? html` aria-describedby="${described}"` : '',
    wrong ? html` aria-invalid="true"` : '',
    (problems.size === 0 ? focus === name : isFirst(problems, name)) && !wide ? html` autofocus` : '',
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
export function problemMarkup(
  { problems, meanings }: FormState,
  name: string,
  wide: boolean,
): Markup | string {
  const problem = problems.get(name);
  if (problem === undefined) return '';
  const focus = isFirst(problems, name) && wide ? html` tabindex="-1" autofocus` : '';
  const asked = meaningButtons(name, meanings.get(name) ?? []);
  return html`<p class="field-problem" id="${problemId(name)}"${focus}>${problem}</p>${asked}`;
}

/**
 * Whether something else than what the form began with is filled in at a path, or inside of it, or is wrong there.
 */
export function isUsed(state: FormState, name: string): boolean {
  const known = usedPaths.get(state) ?? pathsUsedIn(state);
  usedPaths.set(state, known);
  return known.has(name);
}

/** Of each form once: it is asked of every field, and hundreds of lines have thousands of values. */
const usedPaths = new WeakMap<FormState, ReadonlySet<string>>();

function pathsUsedIn({ typed, problems, found, begins }: FormState): ReadonlySet<string> {
  const filled = [...typed].flatMap(([path, values]) =>
    values.some((value) => value !== '' && !begins?.get(path)?.includes(value)) ? [path] : [],
  );
  const used = new Set<string>();
  for (const path of [...filled, ...problems.keys(), ...found.keys()]) {
    // With all that it stands in: `items[3].name`, `items[3]`, `items`.
    let end = path.length;
    while (end > 0 && !used.has(path.slice(0, end))) {
      used.add(path.slice(0, end));
      end = Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1));
    }
  }
  return used;
}

/** Help below a control. */
export function below(c: ConsoleContext, field: FieldFacts, name: string): Markup | string {
  const help = fieldHelp(c.get('language'), field);
  return help === undefined ? '' : html`<p class="help" id="${helpId(name)}">${help}</p>`;
}

/** Each puts one of the numbers into the field and goes on. */
const meaningButtons = (name: string, meanings: readonly Meaning[]): Markup | string =>
  meanings.length === 0
    ? ''
    : choices(meanings.map(({ typed, shown }) => changing(shown, `means:${typed}:${name}`)));

/** A button that changes the form, and sends nothing yet. */
export const changing = (said: Markup | string, value: string): Markup =>
  button(said, { look: 'secondary', name: 'do', value, unchecked: true });

/** The currency of an amount, where the form does not ask for it. */
function currencyBeside(
  c: ConsoleContext,
  { fields, typed }: FormState,
  { description }: FieldFacts,
): string {
  if (description?.unit !== 'money' || fields.some(({ name }) => name === 'currency')) return '';
  return firstOf(typed, 'currency') || sessionOf(c).organization.currency;
}

export function label(c: ConsoleContext, state: FormState, field: FieldFacts, name: string): Markup {
  const needed = field.required && !field.nullable ? formSay(c.get('language'))('needed') : '';
  const beside = [currencyBeside(c, state, field), needed].filter((each) => each !== '').join(' ');
  const words = html`${labelOf(c, field)}${beside ? html` ${quiet(beside)}` : ''}`;
  return html`<label for="${fieldId(name)}">${words}</label>${problemMarkup(state, name, isWide(field))}`;
}

/** A control with its label, what is wrong with it, and its help. */
export const labelled = (
  c: ConsoleContext,
  state: FormState,
  facts: FieldFacts,
  name: string,
  control: Markup,
): Markup => field(label(c, state, facts, name), html`${control}${below(c, facts, name)}`);

/** The same of several controls. */
export function group(
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
