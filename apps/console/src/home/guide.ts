import { listApiKeysOf, listConnections } from '@dealkeep/core/accounts';
import type { Webhook } from '@dealkeep/core/delivering';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { linkButton, type Markup, unseen } from '../markup.ts';
import { homeSay } from './texts.ts';

/**
 * The guide for newcomers: a step is ticked once the organization has what it asks for, and when all are, the guide
 * goes away.
 */
export async function guideSection(
  c: ConsoleContext,
  webhooks: readonly Webhook[],
  hide: Markup,
): Promise<Markup | string> {
  const { organization } = sessionOf(c);
  const core = c.get('core');
  const [keys, connections] = await Promise.all([
    listApiKeysOf(core, organization),
    listConnections(core.sql, { organization: organization.id }),
  ]);
  const hooks = webhooks.filter(({ kind }) => kind === 'rest_hook');
  // A platform has really called with one of them: neither a name that somebody gave nor a use by any program
  // counts.
  const connected = [...keys, ...connections].some(({ platforms }) => platforms.length > 0);
  const text = homeSay(c.get('language'));
  const steps: readonly Step[] = [
    {
      done: keys.length > 0 || connected,
      title: text('makeKey'),
      how: text('makeKeyHow'),
      link: linkButton('/integrations/keys/new?access=automation', text('makeKeyDo')),
    },
    {
      done: connected,
      title: text('connect'),
      how: text('connectHow'),
      link: '',
    },
    {
      done: hooks.length > 0,
      title: text('listen'),
      how: text('listenHow'),
      link: linkButton('/integrations/developers', text('listenDo')),
    },
    {
      done: hooks.some(({ last_success_at: success }) => success !== null),
      title: text('see'),
      how: text('seeHow'),
      link: linkButton('/leads/new', text('seeDo')),
    },
  ];
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return '';
  const next = steps.find((step) => !step.done);
  return html`<section class="card" aria-labelledby="guide"><div class="bar"><h2 id="guide">${text('guide')}</h2>${hide}</div>
<p class="quiet">${text('guideAbout', { done, all: steps.length })}</p>
<ol class="guide">${steps.map((step) => stepItem(c, step, step === next))}</ol></section>`;
}

interface Step {
  readonly done: boolean;
  readonly title: string;
  readonly how: string;
  readonly link: Markup | '';
}

/** A step of the guide; only the one that comes next says how. */
function stepItem(c: ConsoleContext, { done, title, how, link }: Step, next: boolean): Markup {
  const text = homeSay(c.get('language'));
  const said = done ? unseen(`${text('stepDone')} `) : '';
  const name = done ? 'done' : next ? 'next' : 'later';
  const current = next ? html` aria-current="step"` : '';
  const explained = next ? html`<p class="quiet">${how}</p>${link}` : '';
  return html`<li class="${name}"${current}><div>${said}<strong>${title}</strong>${explained}</div></li>`;
}
