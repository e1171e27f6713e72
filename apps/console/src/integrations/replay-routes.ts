import { type FieldFacts, fieldsOf, RecoverDeliveries, text } from '@dealkeep/contract';
import {
  type DeliveryRecovery,
  getWebhookWithHealth,
  logKeptSince,
  previewRecovery,
  type ReplayPreview,
  type Webhook,
} from '@dealkeep/core/delivering';
import { Problem } from '@dealkeep/core/foundations';
import { runAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import * as z from 'zod';
import { forgeryField } from '../auth/forgery.ts';
import { idIn, requireOwner } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { bodyOf } from '../forms/body.ts';
import { radiosMarkup } from '../forms/choice-controls.ts';
import { fieldsMarkup } from '../forms/field-markup.ts';
import { explain, unjudged } from '../forms/received.ts';
import { stepConflictPage } from '../forms/send.ts';
import { firstOf, readingOf, readTyped, type Typed } from '../forms/typed.ts';
import { page } from '../frame/page.ts';
import {
  badge,
  button,
  type Column,
  choices,
  emptyState,
  hiddenField,
  linkButton,
  type Markup,
  plainTable,
  trail,
} from '../markup.ts';
import { momentOf, numberOf } from '../values/shown-value.ts';
import { eventLabel, nameOf, webhooksPath } from '../values/webhook.ts';
import { deliveryPath } from './delivery-table.ts';
import { integrationSay } from './texts.ts';

/** Sending again what a webhook was sent: first it is said which and how many, then somebody says yes. */
export function replayRoutes(app: Hono<ConsoleEnvironment>): void {
  const path = `${webhooksPath}/:id/replay`;
  app.get(path, (c) => askPage(c, new Map(Object.entries(c.req.queries()))));
  app.post(path, replay);
}

const which = {
  failed: text('Only those that failed', 'Iba neúspešné'),
  all: text('All, those that were delivered too', 'Všetky, aj doručené'),
};
/** All that the log has where nobody says since when. */
const moments = fieldsOf(RecoverDeliveries)
  .filter(({ name }) => name === 'since')
  .map((field) => ({ ...field, required: false }));

/** What is chosen; the failed ones when nothing is. */
const whichField: FieldFacts = {
  name: 'which',
  type: 'string',
  isArray: false,
  format: undefined,
  required: true,
  nullable: false,
  maxLength: undefined,
  minimum: undefined,
  moreThan: undefined,
  maximum: undefined,
  minItems: undefined,
  maxItems: undefined,
  reference: undefined,
  resource: undefined,
  fields: [],
  values: Object.keys(which),
  description: { label: text('Which deliveries?', 'Ktoré doručenia?'), choices: which },
};
const fields: readonly FieldFacts[] = [whichField, ...moments];

const chosenIn = (typed: Typed): 'failed' | 'all' => (firstOf(typed, 'which') === 'all' ? 'all' : 'failed');

/** A moment, as far back as there is something to send again; what is no moment is left to be refused. */
function atMostTheLog(c: ConsoleContext, asked: string): string {
  const kept = logKeptSince(c.get('core'));
  return asked === '' || Date.parse(asked) < kept.getTime() ? kept.toISOString() : asked;
}

const webhookOf = (c: ConsoleContext): Promise<Webhook> =>
  getWebhookWithHealth(c.get('core'), requireOwner(c).organization, idIn(c));

/** Shows what would be sent again; nothing is sent by it. */
async function askPage(c: ConsoleContext, asked: Typed): Promise<Response> {
  const { organization } = requireOwner(c);
  const webhook = await webhookOf(c);
  const typed = new Map([...asked, ['which', [chosenIn(asked)]]]);
  const now = c.get('core').clock.now();
  const body = bodyOf(moments, typed, readingOf(c));
  const chosen: DeliveryRecovery = {
    ...body,
    since: atMostTheLog(c, String(body['since'] ?? '')),
    only_failed: chosenIn(typed) === 'failed',
    // What fails from now on is not what the user has seen.
    until: now.toISOString(),
  };
  try {
    const preview = await previewRecovery(c.get('core'), organization, webhook.id, chosen);
    return show(c, webhook, typed, confirmForm(c, webhook, chosen, preview));
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'VALIDATION_ERROR') throw error;
    const { problems } = explain(c.get('language'), { fields, typed }, error);
    return show(c, webhook, typed, '', problems);
  }
}

async function show(
  c: ConsoleContext,
  webhook: Webhook,
  typed: Typed,
  confirm: Markup | string,
  problems: ReadonlyMap<string, string> = new Map(),
): Promise<Response> {
  const text = integrationSay(c.get('language'));
  const back = `${webhooksPath}/${webhook.id}`;
  const title = `${text('replay')}: ${nameOf(webhook)}`;
  const state = { ...unjudged(fields, typed), problems };
  const content = html`${trail(back, nameOf(webhook))}<h1>${title}</h1>
<p>${text('replayAbout')}</p>
${confirm}
<form class="card" action="${back}/replay"><h2>${text('replayOthers')}</h2>
${radiosMarkup(c, state, whichField, () => '')}${await fieldsMarkup(c, state, moments)}
${choices(button(text('replayShow'), { look: 'secondary' }))}</form>`;
  return page(c, { title, content }, problems.size > 0 ? 422 : 200);
}

/** How many and which, and the button that sends them. */
function confirmForm(
  c: ConsoleContext,
  webhook: Webhook,
  { since, until = '', only_failed: failed }: DeliveryRecovery,
  { count, delivered, first }: ReplayPreview,
): Markup {
  const text = integrationSay(c.get('language'));
  if (count === 0) {
    return emptyState(text(failed ? 'replayNoneFailed' : 'replayNone'));
  }
  const [shown, more] = [numberOf(c, count), count - first.length];
  const columns: Column<ReplayPreview['first'][number]>[] = [
    {
      label: text('event'),
      cell: ({ event_id, event_type }) =>
        html`<a href="${deliveryPath({ webhook_id: webhook.id, event_id })}">${eventLabel(c, event_type)}</a>`,
    },
    {
      label: text('outcome'),
      cell: ({ delivered: good }) =>
        good ? badge(text('wasDelivered'), 'good') : badge(text('hasFailed'), 'bad'),
    },
    { label: text('lastAttempt'), cell: (each) => momentOf(c, each.last_attempt_at) },
  ];
  return html`<form class="card" method="post" action="${webhooksPath}/${webhook.id}/replay">
${forgeryField(c)}
${hiddenField('which', failed ? 'failed' : 'all')}${hiddenField('since', since)}${hiddenField('until', until)}
<h2>${text(failed ? 'replayFailed' : 'replayAll', { count: shown })}</h2>
${delivered > 0 ? html`<p class="warning">${text('replayDelivered', { count: numberOf(c, delivered) })}</p>` : ''}
${plainTable(columns, first)}
${more > 0 ? html`<p class="quiet">${text('replayMore', { count: numberOf(c, more) })}</p>` : ''}
${choices(
  button(`${text('replay')} (${shown})`, { look: delivered > 0 ? 'danger' : undefined }),
  linkButton(`${webhooksPath}/${webhook.id}`, text('notNow'), 'secondary'),
)}</form>`;
}

const moment = z.iso.datetime({ offset: true });

/**
 * Sends again what the page named, and nothing that failed later. A form without the page's moment is shown that
 * page first.
 */
async function replay(c: ConsoleContext): Promise<Response> {
  const webhook = await webhookOf(c);
  const typed = await readTyped(c);
  const [since, until] = [firstOf(typed, 'since'), firstOf(typed, 'until')];
  if (!moment.safeParse(until).success || !moment.safeParse(since).success) return askPage(c, typed);
  const back = `${webhooksPath}/${webhook.id}`;
  const body = { since: atMostTheLog(c, since), until, only_failed: chosenIn(typed) === 'failed' };
  try {
    const request = { path: { id: webhook.id }, body };
    const { count } = await runAsUser(c.get('core'), sessionOf(c), 'webhooks.recover', request);
    return c.redirect(`${back}?done=replayed&count=${count}`, 303);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'CONFLICT') throw error;
    return stepConflictPage(c, { back, problem: error });
  }
}
