import {
  CreateWebhook,
  events,
  eventTypes,
  type FieldFacts,
  fieldsOf,
  resources,
  UpdateWebhook,
} from '@dealkeep/contract';
import {
  createManualWebhook,
  getWebhookWithHealth,
  notFound,
  updateManualWebhook,
  type Webhook,
  webhookProblems,
} from '@dealkeep/core';
import type { Hono } from 'hono';
import { idIn, requireOwner, requirePayingOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { bodyOf, changesOf, type FormBody, typedOf } from '../forms/body.ts';
import type { GroupedField } from '../forms/field-markup.ts';
import { formPage, type ShownForm, secretPage } from '../forms/form-page.ts';
import { receive } from '../forms/received.ts';
import { beginningWith, once, onceBy, type Refusal, refusedForm, versionOf } from '../forms/send.ts';
import { readingOf, type Typed } from '../forms/typed.ts';
import { nameOf, webhooksPath } from '../values/webhook.ts';
import { integrationSay } from './texts.ts';

const eventChoices = Object.fromEntries(eventTypes.map((type) => [type, events[type].label]));

/** The events are ticked in a list; the contract takes any text, so that it can say which is unknown. */
export const withEventChoices = (field: FieldFacts): FieldFacts => ({
  ...field,
  values: eventTypes,
  description: field.description && { ...field.description, choices: eventChoices },
});

/** By what they are about; `lead.*` stands for every event of leads. */
const eventGroups = [...new Set(eventTypes.map((type) => events[type].entity))].map((entity) => ({
  heading: resources[entity].label,
  all: `${entity}.*`,
  values: eventTypes.filter((type) => events[type].entity === entity),
}));

/** With the events of each group that was ticked as a whole. */
function withWholeGroups(typed: Typed): Typed {
  const ticked = typed.get('events') ?? [];
  const whole = eventGroups.filter(({ all }) => ticked.includes(all));
  if (whole.length === 0) return typed;
  const single = ticked.filter((value) => !whole.some(({ all }) => all === value));
  const meant = new Set([...single, ...whole.flatMap(({ values }) => values)]);
  return new Map([...typed, ['events', [...meant]]]);
}

const fields = fieldsOf(CreateWebhook).map((field): FieldFacts | GroupedField => {
  if (field.name === 'events') return { ...withEventChoices(field), groups: eventGroups };
  // Without the contract's help, which says that a hook is named by its key: here a person names it.
  if (field.name !== 'name' || !field.description) return field;
  const { help: _, ...description } = field.description;
  return { ...field, description };
});

/** The pages that make and change webhooks by hand. */
export function webhookEditRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(`${webhooksPath}/new`, (c) => {
    requireOwner(c);
    return newPage(c, { state: beginningWith(fields) });
  });
  app.post(`${webhooksPath}/new`, createWebhook);
  app.get(`${webhooksPath}/:id/edit`, async (c) => {
    const webhook = await manualWebhook(c);
    return editPage(c, webhook, { state: beginningWith(fields, shown(c, webhook)) });
  });
  app.post(`${webhooksPath}/:id/edit`, updateWebhook);
}

type Form = Pick<ShownForm, 'state'> & Partial<ShownForm> & Partial<Pick<Refusal, 'status'>>;

function newPage(c: ConsoleContext, { status, ...form }: Form): Promise<Response> {
  const text = integrationSay(c.get('language'));
  return formPage(
    c,
    {
      title: text('newWebhook'),
      about: text('webhooksTeach'),
      action: `${webhooksPath}/new`,
      back: webhooksPath,
      button: text('createWebhook'),
      ...form,
    },
    status,
  );
}

async function createWebhook(c: ConsoleContext): Promise<Response> {
  const { user, organization } = requirePayingOwner(c);
  const received = await receive(c, fields);
  if ('again' in received) return newPage(c, received.again);
  const typed = withWholeGroups(received.send);
  const body = bodyOf(fields, typed, readingOf(c));
  try {
    const input = body as Parameters<typeof createManualWebhook>[2];
    const { id, secret } = await once(() =>
      createManualWebhook(c.get('core'), organization, input, onceBy(user.id, typed)),
    );
    const text = integrationSay(c.get('language'));
    return secretPage(c, {
      title: text('webhookMade'),
      about: text('signingSecret'),
      secret,
      back: `${webhooksPath}/${id}`,
    });
  } catch (error) {
    return newPage(c, refusedForm(c, fields, typed, error));
  }
}

/** The webhook of the path, when it was made by hand. Raises NOT_FOUND. */
export async function manualWebhook(c: ConsoleContext): Promise<Webhook> {
  const { organization } = requireOwner(c);
  const webhook = await getWebhookWithHealth(c.get('core'), organization, idIn(c));
  if (webhook.kind !== 'hand_made') throw notFound();
  return webhook;
}

const shown = (c: ConsoleContext, webhook: Webhook): Typed => typedOf(fields, { ...webhook }, readingOf(c));

const versionOfWebhook = ({ name, target_url, events: types, notify_user_ids: people }: Webhook): string =>
  versionOf([name, target_url, types, people]);

function editPage(c: ConsoleContext, webhook: Webhook, { status, ...form }: Form): Promise<Response> {
  const text = integrationSay(c.get('language'));
  const back = `${webhooksPath}/${webhook.id}`;
  const title = text('editTitle', { name: nameOf(webhook) });
  const version = versionOfWebhook(webhook);
  return formPage(c, { title, action: `${back}/edit`, back, version, button: text('save'), ...form }, status);
}

async function updateWebhook(c: ConsoleContext): Promise<Response> {
  const { organization } = requirePayingOwner(c);
  const webhook = await manualWebhook(c);
  const bodies = (sent: Typed) => {
    const typed = withWholeGroups(sent);
    const changes = changesOf(fields, { shown: shown(c, webhook), typed }, readingOf(c));
    return { sent: changes, whole: changes };
  };
  const problemsOf = (changes: FormBody) =>
    webhookProblems(c.get('core'), organization.id, UpdateWebhook, changes);
  const received = await receive(c, fields, {
    judged: { problemsOf, bodies },
    version: versionOfWebhook(webhook),
  });
  if ('again' in received) return editPage(c, webhook, received.again);
  const typed = withWholeGroups(received.send);
  const { sent: changes } = bodies(typed);
  try {
    await updateManualWebhook(c.get('core'), organization, { id: webhook.id, ...changes });
    return c.redirect(`${webhooksPath}/${webhook.id}?done=saved`, 303);
  } catch (error) {
    return editPage(c, webhook, refusedForm(c, fields, typed, error));
  }
}
