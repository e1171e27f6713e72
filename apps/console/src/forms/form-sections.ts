import { type FieldFacts, type Text, text } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import type { Markup } from '../markup.ts';
import { sayFrom } from '../texts.ts';
import { fieldsMarkup } from './field-markup.ts';
import type { FormState } from './labelled-control.ts';

/** Fields of a form that belong together. */
export interface FormSection {
  readonly heading?: Text;
  readonly fields: readonly FieldFacts[];
  /** Folded away until one of its fields is filled in or wrong. */
  readonly isFolded?: true;
}

const sectionSay = sayFrom({ more: text('More', 'Viac') });

/** The fields of a form by its sections. */
export async function sectionsMarkup(
  c: ConsoleContext,
  state: FormState,
  sections: readonly FormSection[],
): Promise<Markup> {
  const shown: Markup[] = [];
  for (const { heading, fields, isFolded } of sections) {
    const controls = html`${await fieldsMarkup(c, state, fields)}`;
    const said = heading?.[c.get('language')];
    if (isFolded) {
      const open = fields.some((field) => isUsed(state, field)) ? html` open` : '';
      const summary = html`<summary>${said ?? sectionSay(c.get('language'))('more')}</summary>`;
      shown.push(html`<details class="more"${open}>${summary}${controls}</details>`);
    } else if (said === undefined) shown.push(controls);
    else shown.push(html`<fieldset class="section"><legend>${said}</legend>${controls}</fieldset>`);
  }
  return html`${shown}`;
}

/** Whether a field, or one inside of it, is filled in or wrong. */
function isUsed({ typed, problems, found }: FormState, { name }: FieldFacts): boolean {
  const isOf = (path: string): boolean =>
    path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);
  const filled = [...typed].some(([path, values]) => isOf(path) && values.some((value) => value !== ''));
  return filled || [...problems.keys(), ...found.keys()].some(isOf);
}
