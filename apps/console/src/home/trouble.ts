import type { Webhook } from '@dealkeep/core/delivering';
import { html } from 'hono/html';
import { buttonForm } from '../auth/forgery.ts';
import type { ConsoleContext } from '../context.ts';
import { bulletList, button, choices, linkButton, type Markup, unseen } from '../markup.ts';
import { momentText } from '../values/shown-value.ts';
import { healthBadge, nameOf, operatorSaid, pauseText, webhooksPath } from '../values/webhook.ts';
import { homeSay } from './texts.ts';

/** The webhooks that do not deliver, why, and what mends them; nothing where all is well. */
export function troubleSection(c: ConsoleContext, webhooks: readonly Webhook[]): Markup | string {
  const text = homeSay(c.get('language'));
  const troubled = webhooks.flatMap((webhook) => {
    const why = reasonOf(c, webhook);
    return why === undefined ? [] : [{ webhook, why }];
  });
  if (troubled.length === 0) return '';
  return html`<section class="card trouble" aria-labelledby="trouble"><h2 id="trouble">${text('trouble')}</h2>
${bulletList(troubled.map(({ webhook, why }) => item(c, webhook, why)))}</section>`;
}

/**
 * Why a webhook does not deliver; undefined for one that somebody disabled by hand or that has ended, because nobody
 * has to act.
 */
function reasonOf(c: ConsoleContext, webhook: Webhook): string | undefined {
  const { state, disabled_reason, failing_since } = webhook;
  const text = homeSay(c.get('language'));
  if (disabled_reason === 'failing') return text('disabledFailing');
  if (disabled_reason === 'gone') return text('disabledGone');
  const paused = state === 'disabled' ? undefined : pauseText(c, webhook);
  if (paused !== undefined)
    return [paused, operatorSaid(c, webhook.operator_pause?.reason ?? null)].join(' ').trim();
  if (state === 'paused') return text('paused');
  if (state !== 'active' || failing_since === null) return undefined;
  return text('failingSince', { moment: momentText(c, failing_since) });
}

function item(c: ConsoleContext, webhook: Webhook, why: string): Markup {
  const text = homeSay(c.get('language'));
  const { id, kind, disabled_reason: reason, held_events: held } = webhook;
  const about = unseen(` (${nameOf(webhook)})`);
  const outcome = reason === 'failing' ? 'held' : reason === 'gone' ? 'failed' : 'waiting';
  const edit =
    kind === 'manual'
      ? linkButton(`${webhooksPath}/${id}/edit`, html`${text('edit')}${about}`, 'secondary')
      : '';
  const enable =
    reason === null
      ? ''
      : buttonForm(c, `${webhooksPath}/${id}/enable`, button(html`${text('enable')}${about}`));
  const title = html`<a href="${webhooksPath}/${id}">${nameOf(webhook)}</a> ${healthBadge(c, webhook)}`;
  const waiting = held > 0 ? html` <strong>${text('held', { count: held })}</strong>` : '';
  const log = `/integrations/deliveries?webhook_id=${id}&outcome=${outcome}`;
  const answers = linkButton(log, html`${text('answers')}${about}`, 'secondary');
  return html`<div><h3>${title}</h3><p>${why}${waiting}</p></div>\n${choices(answers, edit, enable)}`;
}
