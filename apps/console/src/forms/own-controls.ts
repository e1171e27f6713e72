import type { FieldFacts } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import type { Markup } from '../markup.ts';
import { fieldsMarkup } from './field-markup.ts';
import type { FormState } from './labelled-control.ts';

/** The fields of a form one after the other, some of them by a control of their own. */
export async function fieldsWith(
  c: ConsoleContext,
  state: FormState,
  own: Readonly<Record<string, (field: FieldFacts) => Markup | Promise<Markup>>>,
): Promise<Markup> {
  const shown: (Markup | Markup[])[] = [];
  for (const field of state.fields) {
    const control = own[field.name];
    shown.push(control ? await control(field) : await fieldsMarkup(c, state, [field]));
  }
  return html`${shown}`;
}
