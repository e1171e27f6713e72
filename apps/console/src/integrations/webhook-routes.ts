import { CreateWebhook, eventFilters, fieldsOf } from '@dealkeep/contract';
import {
  getWebhookWithHealth,
  listWebhooksWithHealth,
  searchDeliveries,
  type Webhook,
  type WebhookInFull,
} from '@dealkeep/core/delivering';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { buttonForm, forgeryField } from '../auth/forgery.ts';
import { idIn, requireOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import type { GroupedField } from '../forms/choice-controls.ts';
import { page } from '../frame/page.ts';
import {
  bar,
  button,
  type Column,
  card,
  choices,
  emptyState,
  type Fact,
  factList,
  field,
  heldNotice,
  linkButton,
  type Markup,
  option,
  quiet,
  table,
  trail,
} from '../markup.ts';
import { fieldLabel } from '../values/field-words.ts';
import { momentOf } from '../values/shown-value.ts';
import {
  eventLabel,
  healthBadge,
  madeBy,
  nameOf,
  operatorSaid,
  pauseText,
  webhookSay,
  webhooksPath,
} from '../values/webhook.ts';
import { deliveryTable } from './delivery-table.ts';
import { doneNotice, integrationSay } from './texts.ts';
import { filterField, watchField } from './wanted-fields.ts';

/** What the records of a webhook's events are limited to: `Pipeline: Sales; Stage: Sales – Won`. */
async function onlyWords(c: ConsoleContext, { events, filters }: Webhook): Promise<string> {
  const words: string[] = [];
  for (const name of eventFilters) {
    const values = filters?.[name] ?? [];
    const field = values.length > 0 ? await filterField(c, events, name, values) : undefined;
    if (field) words.push(`${fieldLabel(c.get('language'), field)}: ${namesOf(field, values).join(', ')}`);
  }
  return words.join('; ');
}

/** The fields of which one must have changed: `Value, Owner`. */
function watchedWords(c: ConsoleContext, { events, changed_fields: chosen }: Webhook): string {
  const field = fieldsOf(CreateWebhook).find(({ name }) => name === 'changed_fields');
  return field && chosen ? namesOf(watchField(c, { field, types: events, chosen }), chosen).join(', ') : '';
}

/** By the names of their choices, each with what it stands in before it. */
const namesOf = ({ groups }: GroupedField, values: readonly string[]): string[] =>
  groups.flatMap(({ heading, choices }) =>
    choices
      .filter(({ id }) => values.includes(id))
      .map(({ name }) => (heading ? `${heading.name} – ${name}` : name)),
  );

const recentDeliveries = 10;

/** All webhooks at a glance, and one with all that is known of it. */
export function webhookRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(webhooksPath, webhooksPage);
  app.get(`${webhooksPath}/:id`, webhookPage);
}

async function webhooksPage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const text = integrationSay(c.get('language'));
  const webhooks = await listWebhooksWithHealth(c.get('core'), organization);
  const create = linkButton(`${webhooksPath}/new`, text('newWebhook'));
  const log = linkButton('/integrations/deliveries', text('log'), 'secondary');
  const content = html`${bar(text('webhooks'), choices(log, create))}
${doneNotice(c)}
${
  webhooks.length === 0
    ? emptyState(text('webhooksTeach'), { title: text('noWebhooks'), steps: create })
    : table(columns(c), webhooks)
}`;
  return page(c, { title: text('webhooks'), content });
}

function columns(c: ConsoleContext): Column<Webhook>[] {
  const text = integrationSay(c.get('language'));
  const name = (webhook: Webhook): Markup => {
    const host = quiet(new URL(webhook.target_url).host);
    return html`<a href="${webhooksPath}/${webhook.id}">${nameOf(webhook)}</a><br>${host}`;
  };
  const events = (webhook: Webhook): Markup => {
    const [first = null, ...others] = webhook.events;
    const more = others.length > 0 ? html` ${quiet(`+${others.length}`)}` : '';
    return html`<span>${eventLabel(c, first)}${more}</span>`;
  };
  return [
    { label: text('name'), cell: name },
    { label: text('health'), cell: (webhook) => healthBadge(c, webhook) },
    { label: text('events'), cell: events },
    { label: text('madeBy'), cell: (webhook) => madeBy(c, webhook) },
    {
      label: text('lastSuccess'),
      cell: ({ last_success_at: success }) => (success ? momentOf(c, success) : quiet(text('never'))),
    },
  ];
}

async function webhookPage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const [core, id, text] = [c.get('core'), idIn(c), integrationSay(c.get('language'))];
  const webhook = await getWebhookWithHealth(core, organization, id);
  const recent = await searchDeliveries(core, organization, { webhook_id: id, limit: recentDeliveries });
  const title = nameOf(webhook);
  const edit = webhook.kind === 'manual' ? linkButton(`${webhooksPath}/${id}/edit`, text('edit')) : '';
  const possible = html`<div class="choices" role="group" aria-label="${text('steps')}">${steps(c, webhook)}${edit}</div>`;
  const content = html`${trail(webhooksPath, text('webhooks'))}
${bar(html`${title} ${healthBadge(c, webhook)}`, possible)}
${doneNotice(c)}
${pauseNotice(c, webhook)}
${card(text('health'), factList(await facts(c, webhook)))}
${testForm(c, webhook)}
<div class="bar"><h2>${text('recent')}</h2><a href="/integrations/deliveries?webhook_id=${id}">${text('wholeLog')}</a></div>
${recent.data.length > 0 ? deliveryTable(c, recent.data) : emptyState(webhookSay(c.get('language'))('nothingSent'))}`;
  return page(c, { title, content });
}

/** Says that the operator has nothing sent to it, and why. Of a whole organization every page says so. */
function pauseNotice(c: ConsoleContext, webhook: Webhook): Markup | string {
  const why = pauseText(c, webhook);
  const { operator_pause: pause } = webhook;
  if (why === undefined || pause === null || pause.kind === 'organization') return '';
  return heldNotice(webhookSay(c.get('language'))('pausedByOperator'), why, operatorSaid(c, pause.reason));
}

async function facts(c: ConsoleContext, webhook: WebhookInFull): Promise<Fact[]> {
  const text = integrationSay(c.get('language'));
  const moment = (value: string | null): Markup | undefined =>
    value === null ? undefined : momentOf(c, value);
  const known: [Parameters<typeof text>[0], Markup | string | undefined][] = [
    ['target', html`<code>${webhook.target_url}</code>`],
    ['events', webhook.events.map((type) => eventLabel(c, type)).join(', ')],
    ['only', await onlyWords(c, webhook)],
    ['updatesOnly', watchedWords(c, webhook)],
    ['headers', headersOf(webhook)],
    ['pace', webhook.max_per_minute === null ? undefined : String(webhook.max_per_minute)],
    ['paced', webhook.paced_deliveries > 0 ? pacedText(c, webhook) : undefined],
    ['publicKey', webhook.public_key === null ? undefined : publicKeyOf(c, webhook.public_key)],
    ['madeBy', madeBy(c, webhook)],
    ['madeAt', momentOf(c, webhook.created_at)],
    ['lastSuccess', moment(webhook.last_success_at) ?? text('never')],
    ['failingSince', moment(webhook.failing_since)],
    ['disabledAt', moment(webhook.disabled_at)],
    ['held', webhook.held_events > 0 ? String(webhook.held_events) : undefined],
    ['dropped', webhook.dropped_events > 0 ? String(webhook.dropped_events) : undefined],
    ['previousSecret', moment(webhook.previous_secret_until)],
  ];
  return known.map(([name, value]) => [text(name), value]);
}

/** The headers that every delivery carries, each on a line, with masked values. */
const headersOf = ({ headers }: WebhookInFull): Markup | undefined =>
  headers.length === 0
    ? undefined
    : html`${headers.map(({ name, value }) => html`<div><code>${name}: ${value}</code></div>`)}`;

/** How much waits because only so many attempts may begin in a minute. */
const pacedText = (c: ConsoleContext, { paced_deliveries: count }: Webhook): string =>
  integrationSay(c.get('language'))('pacedCount', { count: String(count) });

/** As Standard Webhooks writes it, with a button that copies it. */
function publicKeyOf(c: ConsoleContext, key: string): Markup {
  const text = integrationSay(c.get('language'));
  const copy = html`<button type="button" class="secondary" data-copy="public-key" data-copied="${text('copied')}" hidden>${text('copy')}</button>`;
  return html`<code id="public-key">${key}</code> ${copy}`;
}

/**
 * What can be done with a webhook. A REST hook is managed by the program that made it; here it can be given a new
 * secret and be ended.
 */
function steps(c: ConsoleContext, { id, kind, disabled_reason: reason }: Webhook): Markup[] {
  const text = integrationSay(c.get('language'));
  const link = (name: string, label: string): Markup =>
    linkButton(`${webhooksPath}/${id}/${name}`, label, 'secondary');
  const enable = buttonForm(c, `${webhooksPath}/${id}/enable`, button(text('enable')));
  const ofManual = kind === 'manual' ? [reason === null ? link('disable', text('disable')) : enable] : [];
  return [
    link('replay', text('replay')),
    ...ofManual,
    link('rotate', text('rotate')),
    link('remove', text('remove')),
  ];
}

function testForm(c: ConsoleContext, { id, kind, events }: Webhook): Markup | string {
  if (kind !== 'manual') return '';
  const text = integrationSay(c.get('language'));
  const label = html`<label for="event">${text('testEvent')}</label>`;
  const options = events.map((type) => option(type, eventLabel(c, type)));
  const choice = html`<select id="event" name="event">${options}</select>`;
  return html`<form class="filters" method="post" action="${webhooksPath}/${id}/test">${forgeryField(c)}
${field(label, choice)}${button(text('sendTest'), { look: 'secondary' })}</form>`;
}
