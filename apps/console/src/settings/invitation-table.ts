import { randomUUID } from 'node:crypto';
import type { Invitation } from '@dealkeep/core';
import { html } from 'hono/html';
import { forgeryField } from '../auth/forgery.ts';
import { roleLabel } from '../auth/permitted.ts';
import type { ConsoleContext } from '../context.ts';
import { onceField } from '../forms/form-page.ts';
import type { Markup } from '../markup.ts';
import { momentOf } from '../values/value.ts';
import { membersPath } from './member-parts.ts';
import { settingsSay } from './texts.ts';

export const invitationsPath = `${membersPath}/invitations`;
export const invitePath = `${invitationsPath}/new`;

/** Who is invited and has not accepted; nothing where that is nobody. */
export function invitationTable(c: ConsoleContext, invitations: readonly Invitation[]): Markup | string {
  const text = settingsSay(c.get('language'));
  if (invitations.length === 0) return '';
  return html`<h2>${text('invited')}</h2>
<div class="scroll"><table><thead><tr><th scope="col">${text('email')}</th><th scope="col">${text('role')}</th><th scope="col">${text('invitedBy')}</th><th scope="col">${text('validUntil')}</th><th scope="col"><span class="visually-hidden">${text('steps')}</span></th></tr></thead>
<tbody>${invitations.map((invitation) => row(c, invitation))}</tbody></table></div>`;
}

function row(
  c: ConsoleContext,
  { id, email, role, invited_by: by, expired, expires_at: until }: Invitation,
): Markup {
  const text = settingsSay(c.get('language'));
  const step = (name: 'again' | 'withdraw', label: string): Markup =>
    html`<form class="in-line" method="post" action="${invitationsPath}/${id}/${name}">${forgeryField(c)}<input type="hidden" name="${onceField}" value="${randomUUID()}"><button class="link">${label}<span class="visually-hidden"> ${email}</span></button></form>`;
  return html`<tr><th scope="row">${email}</th><td data-label="${text('role')}">${roleLabel(c, role)}</td><td data-label="${text('invitedBy')}">${by}</td>
<td data-label="${text('validUntil')}">${momentOf(c, until)}${expired ? html` <span class="badge bad">${text('isExpired')}</span>` : ''}</td>
<td class="steps">${step('again', text('sendAgain'))} ${step('withdraw', text('withdraw'))}</td></tr>`;
}
