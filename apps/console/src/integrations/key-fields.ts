import { allScopes, type FieldFacts, keyPurposes, type Scope, scopes } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { type FormState, fieldsMarkup, radiosMarkup } from '../forms/field-markup.ts';
import type { Markup } from '../markup.ts';
import { integrationSay } from './texts.ts';

/**
 * The form of a key. Its scopes are shown for whoever chooses them one by one, by the style sheet, so that this needs no
 * script; where some are ticked they are always shown, so that none counts unseen.
 */
export async function keyFields(c: ConsoleContext, state: FormState): Promise<Markup> {
  const shown: Markup[] = [];
  for (const field of state.fields) {
    if (field.name === 'access') shown.push(radiosMarkup(c, state, field, (value) => given(c, value)));
    else if (field.name === 'scopes')
      shown.push(html`<div class="chosen-scopes">${await one(c, state, field)}</div>`);
    else shown.push(html`${await one(c, state, field)}`);
  }
  return html`<div class="key">${shown}</div>`;
}

const one = (c: ConsoleContext, state: FormState, field: FieldFacts): Promise<Markup[]> =>
  fieldsMarkup(c, state, [field]);

const purposes: Readonly<Record<string, { readonly scopes: readonly Scope[] }>> = keyPurposes;

/** The scopes that a purpose gives, where its name does not say it. */
function given(c: ConsoleContext, purpose: string): Markup | string {
  const of = Object.hasOwn(purposes, purpose) ? purposes[purpose] : undefined;
  if (!of || of.scopes.length === allScopes.length) return '';
  const [language, text] = [c.get('language'), integrationSay(c.get('language'))];
  const reading = keyPurposes.reading.scopes;
  const readsAll = reading.every((scope) => of.scopes.includes(scope));
  const named = readsAll ? of.scopes.filter((scope) => !reading.includes(scope)) : of.scopes;
  return [
    ...(readsAll ? [text('seeEverything')] : []),
    ...named.map((scope) => scopes[scope][language]),
  ].join(', ');
}
