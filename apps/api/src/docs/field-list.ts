import {
  type FieldFacts,
  type Language,
  operations,
  references,
  resourceNames,
  resources,
} from '@dealkeep/contract';
import { html } from 'hono/html';
import { type Markup, prose } from './markup.ts';
import { wordsIn } from './words.ts';

/** Whether the fields are sent (then absence matters to the sender) or received. */
type Direction = 'sent' | 'received';

/** A list of fields, each with its type, label, help, constraints and example; those of objects inside it. */
export function fieldList(fields: readonly FieldFacts[], direction: Direction, language: Language): Markup {
  return html`<dl class="fields">
${fields.map((field) => html`<div>${fieldEntry(field, direction, language)}</div>\n`)}</dl>`;
}

function fieldEntry(field: FieldFacts, direction: Direction, language: Language): Markup {
  const say = wordsIn(language);
  const { name, description, fields, resource } = field;
  const badge =
    direction === 'sent'
      ? field.required && html` <span class="required">${say('required')}</span>`
      : !field.required && html` <span class="note">${say('sometimes')}</span>`;
  const facts = constraints(field, language);
  return html`<dt><code>${name}</code> <span class="type">${typeText(field, language)}</span>${badge}</dt>
<dd>${description?.label[language]}${description?.help && html`. ${prose(description.help[language])}`}
${facts.length > 0 && html`<div class="facts-line">${facts.map((each) => html`<span>${each}</span> `)}</div>`}
${resource !== undefined && html`<a href="#${resource}.record">${resources[resource].label[language]}</a>`}
${fields.length > 0 && fieldList(fields, direction, language)}</dd>`;
}

function typeText({ type, isArray, format, nullable }: FieldFacts, language: Language): string {
  const say = wordsIn(language);
  const word = format === undefined ? type : `${type} (${format})`;
  return `${isArray ? `${say('listOf')} ` : ''}${word}${nullable ? ` ${say('orNull')}` : ''}`;
}

function constraints(field: FieldFacts, language: Language): Markup[] {
  const say = wordsIn(language);
  const { maxLength, minimum, moreThan, maximum, minItems, maxItems, values, description } = field;
  const facts = [
    bounds(undefined, maxLength, language, 'characters'),
    bounds(minItems, maxItems, language, 'entries'),
    ...(moreThan === undefined ? [] : [`${say('moreThan')} ${moreThan}`]),
    bounds(minimum, maximum, language),
  ]
    .filter((each) => each !== undefined)
    .map((each) => html`${each}`);
  if (values.length > 0) facts.push(html`${say('oneOf')}: ${choices(field)}`);
  if (field.reference) {
    const { list } = references[field.reference];
    const listed = resourceNames.find((each) => each === operations[list].resource);
    const label = listed ? resources[listed].plural[language] : list;
    facts.push(html`${say('chosenFrom')}: <a href="#${list}">${label}</a>`);
  }
  if (description?.dependsOn) facts.push(html`${say('dependsOn')} <code>${description.dependsOn}</code>`);
  const example = description?.example;
  const plain = typeof example === 'string' || typeof example === 'number';
  if (plain && values.length === 0 && !field.reference) {
    facts.push(html`${say('example')}: <code>${example}</code>`);
  }
  return facts;
}

/** `1 to 100 entries`, `at most 255 characters`. */
function bounds(
  least: number | undefined,
  most: number | undefined,
  language: Language,
  unit?: 'characters' | 'entries',
): string | undefined {
  const say = wordsIn(language);
  const shown = (value: number) => value.toLocaleString(language);
  const after = unit ? ` ${say(unit)}` : '';
  if (least !== undefined && most !== undefined) return `${shown(least)} ${say('to')} ${shown(most)}${after}`;
  if (most !== undefined) return `${say('atMost')} ${shown(most)}${after}`;
  return least === undefined ? undefined : `${say('atLeast')} ${shown(least)}${after}`;
}

/** The values of a field; where there are very many, such as countries, the first ones. */
function choices({ values }: FieldFacts): Markup {
  const shown = values.length > 30 ? values.slice(0, 5) : values;
  return html`${shown.map((value) => html`<code class="choice">${value}</code> `)}${shown.length < values.length && '…'}`;
}
