import { randomUUID } from 'node:crypto';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { forgeryField } from '../auth/forgery.ts';
import type { ConsoleContext } from '../context.ts';
import { page } from '../frame/page.ts';
import { button, choices, hiddenField, linkButton, type Markup } from '../markup.ts';
import { fieldsMarkup } from './field-markup.ts';
import { isCounted } from './items-totals.ts';
import type { FormState } from './labelled-control.ts';
import { formSay } from './texts.ts';
import { firstOf, type Typed } from './typed.ts';
import { languageField } from './typed-numbers.ts';

/** The hidden field that makes a form count once, however often it is sent. */
const onceField = 'form_token';
/** In the form of one button: it counts once, however often it is pressed. */
export const countsOnce = (): Markup => hiddenField(onceField, randomUUID());

/** The hidden field that says which state of the record the form showed. */
export const versionField = 'form_version';

export interface ShownForm {
  readonly title: string;
  /** What will happen. */
  readonly about?: string;
  /** What is concerned, such as a list of records. */
  readonly concerned?: Markup | string;
  /** What is wrong and belongs to no field. */
  readonly alerts?: readonly string[];
  readonly action: string;
  readonly back: string;
  readonly button: string;
  readonly danger?: boolean;
  readonly state: FormState;
  /** The fields, where they do not simply stand one after the other. */
  readonly fields?: Markup;
  /** Whether the form can be saved and opened anew at once. */
  readonly another?: true;
  /** A new one when absent. */
  readonly once?: string;
  readonly version?: string;
  /** What else could be done, below the form. */
  readonly below?: Markup | string;
}

/**
 * What a script sends where it asks for a part of a page: `form`, or `lines` for what stands in one and is counted.
 */
const partHeader = 'X-Dealkeep-Part';

/** Whether a script asks for a form without the page around it, to show it in a dialog. */
export const asksForPart = (c: ConsoleContext): boolean => c.req.header(partHeader) === 'form';

/** The lines of a form alone, where a script asks for them while somebody types; undefined where none does. */
export async function linesPart(c: ConsoleContext, state: FormState): Promise<Response | undefined> {
  if (c.req.header(partHeader) !== 'lines') return undefined;
  const lines = await fieldsMarkup(c, state, state.fields.filter(isCounted));
  return c.html(html`${lines}`);
}

/** A page with one form. Enter in any field saves. */
export async function formPage(
  c: ConsoleContext,
  form: ShownForm,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const text = formSay(c.get('language'));
  const {
    title,
    about,
    concerned,
    alerts = [],
    action,
    back,
    button: said,
    danger,
    state,
    fields,
    once,
    version,
    below = '',
    another,
  } = form;
  const marked = state.problems.size > 0 ? [text('checkFields')] : [];
  const alarms = [...alerts, ...marked];
  const key = once && once.length <= 100 ? once : randomUUID();
  const content = html`<h1>${title}</h1>
${about ? html`<p>${about}</p>` : ''}
${concerned ?? ''}
${alarms.length > 0 ? html`<div class="problem" role="alert">${alarms.map((each) => html`<p>${each}</p>`)}</div>` : ''}
<form class="card${state.fields.some(isCounted) ? ' wide' : ''}" method="post" action="${action}" data-leave="${text('leave')}">
${forgeryField(c)}
${hiddenField(onceField, key)}
${hiddenField(languageField, c.get('language'))}
${version === undefined ? '' : hiddenField(versionField, version)}
<button class="visually-hidden" name="do" value="save" tabindex="-1" aria-hidden="true">${said}</button>
${fields ?? (await fieldsMarkup(c, state))}
${choices(
  button(said, { look: danger ? 'danger' : undefined, name: 'do', value: 'save' }),
  another && !asksForPart(c)
    ? button(text('saveAndAnother'), { look: 'secondary', name: 'do', value: 'another' })
    : '',
  linkButton(back, danger ? text('notNow') : text('back'), 'secondary'),
)}
</form>${below}`;
  if (asksForPart(c)) return c.html(content, status);
  return page(c, { title, content, scripts: ['form.js'] }, status);
}

export const onceOf = (typed: Typed): string => firstOf(typed, onceField);

/** Shows a secret this once, with a button that copies it; `more` is what to do with it. */
export function secretPage(
  c: ConsoleContext,
  {
    title,
    about,
    secret,
    back,
    more = '',
  }: { title: string; about: string; secret: string; back: string; more?: Markup | string },
): Promise<Response> {
  const text = formSay(c.get('language'));
  const copy = html`<button type="button" data-copy="secret" data-copied="${text('copied')}" hidden>${text('copy')}</button>`;
  const content = html`<h1>${title}</h1>
<div class="notice" role="status"><p>${text('shownOnce')}</p></div>
<section class="card"><label for="secret">${about}</label>
<input id="secret" class="mono" readonly autocomplete="off" spellcheck="false" value="${secret}">
${choices(copy, linkButton(back, text('kept'), 'secondary'))}</section>
${more}`;
  return page(c, { title, content });
}
