import { showGuide } from '@dealkeep/core/accounts';
import type { Webhook } from '@dealkeep/core/delivering';
import { demoOrganization } from '@dealkeep/core/installation';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { buttonForm } from '../auth/forgery.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { button, type Markup } from '../markup.ts';
import { guideSection } from './guide.ts';
import { homeSay } from './texts.ts';

const guidePath = '/guide';

/** Everybody puts the first steps away for themselves, and takes them back. */
export function firstStepRoutes(app: Hono<ConsoleEnvironment>): void {
  app.post(`${guidePath}/hide`, async (c) => {
    await showGuide(c.get('core'), sessionOf(c), false);
    return c.redirect('/?done=hidden', 303);
  });
  app.post(`${guidePath}/show`, async (c) => {
    await showGuide(c.get('core'), sessionOf(c), true);
    return c.redirect('/', 303);
  });
}

/** What a demo is, and the way to the first automation, until somebody has put them away. */
export async function firstSteps(c: ConsoleContext, webhooks: readonly Webhook[]): Promise<Markup | string> {
  if (sessionOf(c).guideDismissed) return '';
  const guide = await guideSection(c, webhooks, hideButton(c));
  return html`${demoCard(c)}${guide}`;
}

/** The button that hides them; there is one on each of them. */
const hideButton = (c: ConsoleContext): Markup =>
  buttonForm(c, `${guidePath}/hide`, button(homeSay(c.get('language'))('dismiss'), { look: 'link' }));

function demoCard(c: ConsoleContext): Markup | string {
  if (sessionOf(c).organization.slug !== demoOrganization) return '';
  const text = homeSay(c.get('language'));
  const commands = [
    "npx dealkeep organizations create --name 'Kováč & synovia s. r. o.' --slug kovac --country SK --currency EUR",
    "npx dealkeep users create --organization kovac --name 'Jana Kováčová' --email jana@kovac.example --role owner",
  ];
  return html`<section class="card" aria-labelledby="demo"><div class="bar"><h2 id="demo">${text('demo')}</h2>${hideButton(c)}</div>
<p>${text('demoAbout')}</p><p>${text('demoOwn')}</p><pre tabindex="0">${commands.join('\n')}</pre></section>`;
}

/** Brings them back, for who has put them away; and says so just after that. */
export function hiddenNotice(c: ConsoleContext): Markup | string {
  if (c.req.query('done') !== 'hidden') return '';
  return html`<p class="notice" role="status">${homeSay(c.get('language'))('dismissed')}</p>`;
}

export const showAgain = (c: ConsoleContext): Markup | string =>
  sessionOf(c).guideDismissed
    ? html`<div class="show-again">${buttonForm(c, `${guidePath}/show`, button(homeSay(c.get('language'))('showGuide'), { look: 'link' }))}</div>`
    : '';
