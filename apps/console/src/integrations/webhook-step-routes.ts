import { getWebhookWithHealth, type Webhook } from '@dealkeep/core/delivering';
import { runAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { idIn, requireOwner } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, receivedForm, sessionOf } from '../context.ts';
import { formPage, secretPage } from '../forms/form-page.ts';
import { beginningWith } from '../forms/send.ts';
import { nameOf, webhooksPath } from '../values/webhook.ts';
import { deliveryPath } from './delivery-table.ts';
import { integrationSay } from './texts.ts';
import { manualWebhook } from './webhook-edit-routes.ts';

/** What is done with a webhook; what stops something, or cannot be taken back, asks first. */
export function webhookStepRoutes(app: Hono<ConsoleEnvironment>): void {
  const one = `${webhooksPath}/:id`;
  app.post(`${one}/enable`, async (c) => {
    await runAsUser(c.get('core'), sessionOf(c), 'manual-webhooks.enable', { path: { id: idIn(c) } });
    return c.redirect(`${webhooksPath}/${idIn(c)}?done=enabled`, 303);
  });
  app.get(`${one}/disable`, async (c) => askPage(c, await manualWebhook(c), 'disable'));
  app.post(`${one}/disable`, async (c) => {
    await runAsUser(c.get('core'), sessionOf(c), 'manual-webhooks.disable', { path: { id: idIn(c) } });
    return c.redirect(`${webhooksPath}/${idIn(c)}?done=disabled`, 303);
  });
  app.get(`${one}/remove`, async (c) => askPage(c, await webhookOf(c), 'remove'));
  app.post(`${one}/remove`, async (c) => {
    await runAsUser(c.get('core'), sessionOf(c), 'webhooks.remove', { path: { id: idIn(c) } });
    return c.redirect(`${webhooksPath}?done=removed`, 303);
  });
  app.get(`${one}/rotate`, async (c) => askPage(c, await webhookOf(c), 'rotate'));
  app.post(`${one}/rotate`, rotate);
  app.post(`${one}/test`, test);
}

async function webhookOf(c: ConsoleContext): Promise<Webhook> {
  const { organization } = requireOwner(c);
  return getWebhookWithHealth(c.get('core'), organization, idIn(c));
}

function askPage(
  c: ConsoleContext,
  webhook: Webhook,
  step: 'disable' | 'remove' | 'rotate',
): Promise<Response> {
  const text = integrationSay(c.get('language'));
  const back = `${webhooksPath}/${webhook.id}`;
  const about =
    step !== 'disable' && webhook.kind === 'rest_hook'
      ? (`${step}HookAbout` as const)
      : (`${step}About` as const);
  return formPage(c, {
    title: `${text(step)}: ${nameOf(webhook)}`,
    about: text(about),
    action: `${back}/${step}`,
    back,
    button: text(step),
    danger: true,
    state: beginningWith([]),
  });
}

async function rotate(c: ConsoleContext): Promise<Response> {
  const id = idIn(c);
  const request = { path: { id } };
  const { secret } = await runAsUser(c.get('core'), sessionOf(c), 'manual-webhooks.rotate-secret', request);
  const text = integrationSay(c.get('language'));
  const back = `${webhooksPath}/${id}`;
  return secretPage(c, { title: text('secretMade'), about: text('signingSecret'), secret, back });
}

/** Leads to the delivery that it was, with what was sent and answered. */
async function test(c: ConsoleContext): Promise<Response> {
  const [id, form] = [idIn(c), await receivedForm(c)];
  const event = form.get('event') ?? '';
  const request = { path: { id }, body: event === '' ? {} : { event } };
  const { delivery_id } = await runAsUser(c.get('core'), requireOwner(c), 'webhooks.test', request);
  return c.redirect(`${deliveryPath({ webhook_id: id, event_id: delivery_id })}?done=tested`, 303);
}
