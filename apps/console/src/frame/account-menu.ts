import { html } from 'hono/html';
import { buttonForm } from '../auth/forgery.ts';
import { ownerText } from '../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { languageSwitch } from '../language.ts';
import { button, type Markup, unseen } from '../markup.ts';
import { say } from '../texts.ts';
import { initialsOf } from '../values/initials.ts';
import { icon, withIcon } from './icons.ts';
import { shortcutsPath } from './shortcuts.ts';

/** Who is signed in, and what belongs to them alone: a popover, which browsers open and close without a script. */
export function accountMenu(c: ConsoleContext): Markup {
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
