import { listInvitations, listMembers, type Member } from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { requireOwner, roleLabel } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { page } from '../frame/page.ts';
import type { Markup } from '../markup.ts';
import { momentOf } from '../values/value.ts';
import { invitationTable, invitePath } from './invitation-table.ts';
import { accessBadge, isSelf, membersPath } from './member-parts.ts';
import { doneNotice, settingsSay } from './texts.ts';

/** The people of the organization, and who is invited. */
export function membersRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(membersPath, membersPage);
}

async function membersPage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const text = settingsSay(c.get('language'));
  const people = await listMembers(c.get('core'), organization);
  const invitations = await listInvitations(c.get('core'), organization);
  const content = html`<div class="bar"><h1>${text('people')}</h1><a class="button" href="${invitePath}">${text('invite')}</a></div>
<p>${text('membersAbout')}</p>
${doneNotice(c)}
<div class="scroll"><table><thead><tr><th scope="col">${text('personName')}</th><th scope="col">${text('email')}</th><th scope="col">${text('role')}</th><th scope="col">${text('state')}</th><th scope="col">${text('lastSignIn')}</th></tr></thead>
<tbody>${people.map((person) => memberRow(c, person))}</tbody></table></div>
${invitationTable(c, invitations)}`;
  return page(c, { title: text('people'), content });
}

function memberRow(c: ConsoleContext, person: Member): Markup {
  const text = settingsSay(c.get('language'));
  const { id, name, email, role, last_signed_in_at: last } = person;
  return html`<tr><th scope="row"><a href="${membersPath}/${id}">${name}</a>${isSelf(c, id) ? html` <span class="quiet">${text('you')}</span>` : ''}</th><td data-label="${text('email')}">${email}</td><td data-label="${text('role')}">${roleLabel(c, role)}</td><td data-label="${text('state')}">${accessBadge(c, person)}</td>
<td data-label="${text('lastSignIn')}">${last ? momentOf(c, last) : html`<span class="quiet">${text('never')}</span>`}</td></tr>`;
}
