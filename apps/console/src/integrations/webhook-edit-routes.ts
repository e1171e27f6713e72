import { getWebhookWithHealth, type WebhookInFull } from '@dealkeep/core/delivering';
import { notFound } from '@dealkeep/core/foundations';
import { problemsForUser, runAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { idIn, requireOwner, requirePayingOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { bodyOf, changesOf, type FormBody } from '../forms/body.ts';
import { formPage, type ShownForm, secretPage } from '../forms/form-page.ts';
import { receive } from '../forms/received.ts';
import { beginningWith, formKey, once, type Refusal, refusedForm, versionOf } from '../forms/send.ts';
import { readingOf, readTyped, type Typed } from '../forms/typed.ts';
import { nameOf, webhooksPath } from '../values/webhook.ts';
import { integrationSay } from './texts.ts';
import { typedOfWebhook, webhookFields, webhookForm, withWholeGroups } from './webhook-form.ts';

/** The pages that make and change webhooks by hand. */
export function webhookEditRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(`${webhooksPath}/new`, async (c) => {
    requireOwner(c);
    const { shown } = await webhookForm(c, new Map());
    return newPage(c, { state: beginningWith(shown) });
  });
  app.post(`${webhooksPath}/new`, createWebhook);
  app.get(`${webhooksPath}/:id/edit`, async (c) => {
    const webhook = await manualWebhook(c);
    const typed = typedOfWebhook(c, webhook);
    const { shown } = await webhookForm(c, typed);
    return editPage(c, webhook, { state: beginningWith(shown, typed) });
  });
  app.post(`${webhooksPath}/:id/edit`, updateWebhook);
}

type Form = Pick<ShownForm, 'state'> & Partial<ShownForm> & Partial<Pick<Refusal, 'status'>>;

async function newPage(c: ConsoleContext, { status, ...form }: Form): Promise<Response> {
  const text = integrationSay(c.get('language'));
  return formPage(
    c,
    {
      title: text('newWebhook'),
      about: text('webhooksTeach'),
      action: `${webhooksPath}/new`,
      back: webhooksPath,
      button: text('createWebhook'),
      fields: await webhookFields(c, form.state),
      ...form,
    },
    status,
  );
}

async function createWebhook(c: ConsoleContext): Promise<Response> {
  const session = requirePayingOwner(c);
  const { shown } = await webhookForm(c, await readTyped(c));
  const received = await receive(c, shown);
  if ('again' in received) return newPage(c, received.again);
  const typed = withWholeGroups(received.send);
  const body = bodyOf(shown, typed, readingOf(c));
  try {
    const { id, secret } = await once(() =>
      runAsUser(c.get('core'), session, 'manual-webhooks.create', { body }, formKey(typed)),
    );
    const text = integrationSay(c.get('language'));
    return secretPage(c, {
      title: text('webhookMade'),
      about: text('signingSecret'),
      secret,
      back: `${webhooksPath}/${id}`,
    });
  } catch (error) {
    return newPage(c, refusedForm(c, shown, typed, error));
  }
}

/** The webhook of the path, when it was made by hand. Raises NOT_FOUND. */
export async function manualWebhook(c: ConsoleContext): Promise<WebhookInFull> {
  const { organization } = requireOwner(c);
  const webhook = await getWebhookWithHealth(c.get('core'), organization, idIn(c));
  if (webhook.kind !== 'manual') throw notFound();
  return webhook;
}

const versionOfWebhook = (webhook: WebhookInFull): string => {
  const {
    name,
    target_url,
    events: types,
    notify_user_ids: users,
    filters,
    changed_fields: watched,
    headers,
    max_per_minute,
    public_key,
  } = webhook;
  const asked = [filters, watched, headers, max_per_minute, public_key];
  return versionOf([name, target_url, types, users, ...asked]);
};

async function editPage(
  c: ConsoleContext,
  webhook: WebhookInFull,
  { status, ...form }: Form,
): Promise<Response> {
  const text = integrationSay(c.get('language'));
  const back = `${webhooksPath}/${webhook.id}`;
  const title = text('editTitle', { name: nameOf(webhook) });
  const version = versionOfWebhook(webhook);
  const fields = await webhookFields(c, form.state);
  const page = { title, action: `${back}/edit`, back, version, button: text('save'), fields, ...form };
  return formPage(c, page, status);
}

async function updateWebhook(c: ConsoleContext): Promise<Response> {
  const session = requirePayingOwner(c);
  const webhook = await manualWebhook(c);
  const path = { id: webhook.id };
  const before = typedOfWebhook(c, webhook);
  const { shown, all } = await webhookForm(c, await readTyped(c), before);
  const bodies = (sent: Typed) => {
    const typed = withWholeGroups(sent);
    const changes = changesOf(all, { shown: before, typed }, readingOf(c));
    return { sent: changes, whole: changes };
  };
  const problemsOf = (changes: FormBody) =>
    problemsForUser(c.get('core'), session, 'manual-webhooks.update', { path, body: changes });
  const received = await receive(c, shown, {
    judged: { problemsOf, bodies },
    version: versionOfWebhook(webhook),
  });
  if ('again' in received) return editPage(c, webhook, received.again);
  const typed = withWholeGroups(received.send);
  const { sent: body } = bodies(typed);
  try {
    await runAsUser(c.get('core'), session, 'manual-webhooks.update', { path, body });
    return c.redirect(`${webhooksPath}/${webhook.id}?done=saved`, 303);
  } catch (error) {
    return editPage(c, webhook, refusedForm(c, shown, typed, error));
  }
}
