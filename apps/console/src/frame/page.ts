import { type Text, text } from '@dealkeep/contract';
import { deliveryHold } from '@dealkeep/core/change';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AssetName } from '../assets.ts';
import { buttonForm } from '../auth/forgery.ts';
import { organizationMenu, organizationName } from '../auth/organization-switch.ts';
import { ownerText } from '../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { languageSwitch } from '../language.ts';
import { button, heldNotice, type Markup, unseen } from '../markup.ts';
import { say, sayFrom } from '../texts.ts';
import { initialsOf } from '../values/initials.ts';
import { momentText } from '../values/shown-value.ts';
import { operatorSaid } from '../values/webhook.ts';
import { icon, withIcon } from './icons.ts';
import { navigation } from './navigation.ts';
import { documentOf } from './plain-page.ts';
import { searchField } from './search-field.ts';
import { shortcutsPath } from './shortcuts.ts';

interface Page {
  readonly title: string;
  readonly content: Markup;
  /** What makes this page shorter to use, beside what every page has. */
  readonly scripts?: readonly AssetName[];
}

/** A page of somebody who is signed in, with the navigation around it. */
export async function page(
  c: ConsoleContext,
  { title, content, scripts = [] }: Page,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const language = c.get('language');
  const text = say(language);
  const body = html`<body class="frame">
<header>
<a class="skip" href="#content">${text('skip')}</a>
<button type="button" class="menu secondary" popovertarget="navigation">${icon('menu')}${unseen(text('menu'))}</button>
${organizationName(c)}
${searchField(c)}
${accountMenu(c)}
${organizationMenu(c)}
</header>
<nav id="navigation" popover aria-label="${text('mainNavigation')}">${organizationName(c)}${navigation(c)}</nav>
<main id="content" tabindex="-1">
${await holdBanner(c)}
${content}
</main>
</body>`;
  return c.html(
    await documentOf(language, { title, body, scripts: ['palette.js', 'shortcuts.js', ...scripts] }),
    status,
  );
}

const holdSay = sayFrom({
  nothingIsSent: text('Nothing is sent at the moment.', 'Momentálne sa nič neodosiela.'),
  noWebhookIsSent: text('No webhook is sent at the moment.', 'Momentálne sa neodosiela žiadny webhook.'),
  paused: text(
    'Whoever runs this Dealkeep has paused all webhooks and mails since {moment}. What happens meanwhile waits.',
    'Prevádzkovateľ tohto Dealkeepu pozastavil všetky webhooky a e-maily, od {moment}. Čo sa zatiaľ stane, čaká.',
  ),
  organization_paused: text(
    'Whoever runs this Dealkeep has paused the webhooks of this organization since {moment}. What happens meanwhile waits.',
    'Prevádzkovateľ tohto Dealkeepu pozastavil webhooky tejto organizácie, od {moment}. Čo sa zatiaľ stane, čaká.',
  ),
  held: text(
    'Whoever runs this Dealkeep holds back all webhooks and mails, as after a restore. What happens meanwhile waits.',
    'Prevádzkovateľ tohto Dealkeepu zadržiava všetky webhooky a e-maily, napríklad po obnove zo zálohy. Čo sa zatiaľ stane, čaká.',
  ),
} as const satisfies Record<string, Text>);

/** Says on every page of those who see webhooks that none is sent, and why; nothing while they are sent. */
async function holdBanner(c: ConsoleContext): Promise<Markup | string> {
  const { user, organization } = sessionOf(c);
  if (user.permissions !== 'owner') return '';
  const hold = await deliveryHold(c.get('core'), organization);
  if (!hold) return '';
  const words = holdSay(c.get('language'));
  const title = words(hold.reason === 'organization_paused' ? 'noWebhookIsSent' : 'nothingIsSent');
  const moment = hold.since === null ? '' : momentText(c, hold.since);
  return heldNotice(title, words(hold.reason, { moment }), operatorSaid(c, hold.said));
}

/** Who is signed in, and what belongs to them alone: a popover, which browsers open and close without a script. */
function accountMenu(c: ConsoleContext): Markup {
  const text = say(c.get('language'));
  const { user, organization } = sessionOf(c);
  const isOwner = user.permissions === 'owner';
  return html`<div class="account">
<button type="button" class="initials account-button" popovertarget="account"><span aria-hidden="true">${initialsOf(user.name)}</span>${unseen(text('accountOf', { name: user.name }))}</button>
<div id="account" class="popup" popover>
<p><strong>${user.name}</strong><br><span class="quiet">${user.email}</span></p>
<p class="quiet">${organization.name}${isOwner ? html` · ${ownerText[c.get('language')]}` : ''}</p>
<ul>
<li><a href="/settings/account">${withIcon('user-round', text('ownAccount'))}</a></li>
<li hidden><button type="button" class="link" data-shortcuts="${shortcutsPath}" data-close="${text('close')}">${withIcon('keyboard', text('shortcuts'))}</button></li>
<li>${languageSwitch(c, icon('languages'))}</li>
<li>${buttonForm(c, '/sign-out', button(withIcon('log-out', text('signOut')), { look: 'link' }))}</li>
</ul>
</div></div>`;
}
