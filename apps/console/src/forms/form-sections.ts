import { type FieldFacts, type Text, text } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import type { Markup } from '../markup.ts';
import { sayFrom } from '../texts.ts';
import { fieldsMarkup } from './field-markup.ts';
import { type FormState, isUsed } from './labelled-control.ts';

/** Fields of a form that belong together. */
export interface FormSection {
  readonly heading?: Text;
  readonly fields: readonly FieldFacts[];
  /** Folded away until one of its fields is filled in or wrong. */
  readonly isFolded?: true;
}

const sectionSay = sayFrom({ more: text('More', 'Viac') });

/** The fields of a form by its sections; of a short one, all but the first are folded away. */
export async function sectionsMarkup(
  c: ConsoleContext,
  state: FormState,
  sections: readonly FormSection[],
  { isShort = false }: { isShort?: boolean } = {},
): Promise<Markup> {
  const shown: Markup[] = [];
  for (const { heading, fields, isFolded = isShort && heading !== undefined } of sections) {
    const controls = html`<div class="fields">${await fieldsMarkup(c, state, fields)}</div>`;
    const said = heading?.[c.get('language')];
    if (isFolded) {
      const open = fields.some((field) => isUsed(state, field.name)) ? html` open` : '';
      const summary = html`<summary>${said ?? sectionSay(c.get('language'))('more')}</summary>`;
      shown.push(html`<details class="more"${open}>${summary}${controls}</details>`);
    } else if (said === undefined) shown.push(controls);
    else shown.push(html`<fieldset class="section"><legend>${said}</legend>${controls}</fieldset>`);
  }
  return html`${shown}`;
}
