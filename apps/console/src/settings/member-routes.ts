import { type FieldFacts, fieldsOf, UpdateMember } from '@dealkeep/contract';
import { editMember, listInvitations, listMembers, type Member, memberProblems } from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { forgeryField } from '../auth/forgery.ts';
import { requireOwner, roleLabel } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { page } from '../frame/page.ts';
import { type Fact, factList, type Markup } from '../markup.ts';
import { nameFormat } from '../values/formats.ts';
import { momentOf } from '../values/shown-value.ts';
import { type EditForm, editPage, saveEdit } from './edit-form.ts';
import { invitationTable, invitePath } from './invitation-routes.ts';
import { usedAccess, usedAccessOf } from './member-access.ts';
import { accessBadge, isSelf, memberOf, membersPath, ownPasswordPath, withRoles } from './member-parts.ts';
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

const editFields: readonly FieldFacts[] = fieldsOf(UpdateMember).map((field) =>
  field.name === 'language' ? field : { ...field, required: true },
);

/** One person: what is known, and what owners can change of it. */
export function memberRoutes(app: Hono<ConsoleEnvironment>): void {
  const one = `${membersPath}/:id`;
  app.get(one, memberPage);
  app.get(`${one}/edit`, async (c) => editPage(c, await editForm(c)));
  app.post(`${one}/edit`, async (c) => saveEdit(c, await editForm(c)));
}

async function memberPage(c: ConsoleContext): Promise<Response> {
  const person = await memberOf(c);
  const text = settingsSay(c.get('language'));
  const path = `${membersPath}/${person.id}`;
  const used = await usedAccessOf(c, person);
  const content = html`<p class="trail"><a href="${membersPath}">${text('people')}</a></p>
<div class="bar"><h1>${person.name} ${accessBadge(c, person)}</h1><a class="button" href="${path}/edit">${text('edit')}</a></div>
${doneNotice(c)}
<section class="card" aria-label="${text('steps')}"><div class="choices steps">${steps(c, person)}</div></section>
<section class="card" aria-label="${text('facts')}">${factList(facts(c, person))}</section>
<section class="card"><h2>${text('usedBy')}</h2>${usedAccess(c, used)}</section>`;
  return page(c, { title: person.name, content });
}

function facts(c: ConsoleContext, { email, role, language, last_signed_in_at: last }: Member): Fact[] {
  const text = settingsSay(c.get('language'));
  const languages = nameFormat(c.get('language'), { type: 'language' });
  return [
    [text('email'), email],
    [text('role'), roleLabel(c, role)],
    [text('language'), language === null ? text('notChosen') : languages.of(language)],
    [text('lastSignIn'), last === null ? text('never') : momentOf(c, last)],
  ];
}

function steps(c: ConsoleContext, { id, active }: Member): Markup {
  const text = settingsSay(c.get('language'));
  const path = `${membersPath}/${id}`;
  const password = isSelf(c, id)
    ? html`<a class="button secondary" href="${ownPasswordPath}">${text('changePassword')}</a>`
    : '';
  return active
    ? html`${password}<a class="button secondary" href="${path}/deactivate">${text('deactivate')}</a>`
    : html`<form class="in-line" method="post" action="${path}/activate">${forgeryField(c)}<button>${text('activate')}</button></form>${password}`;
}

async function editForm(c: ConsoleContext): Promise<EditForm> {
  const { organization } = requireOwner(c);
  const { id, name, role, language } = await memberOf(c);
  const path = `${membersPath}/${id}`;
  return {
    title: settingsSay(c.get('language'))('editTitle', { name }),
    about: settingsSay(c.get('language'))('editMemberAbout'),
    action: `${path}/edit`,
    back: path,
    fields: await withRoles(c, editFields),
    shown: { name, role, language },
    problemsOf: (changes) => memberProblems(c.get('core'), organization, { id, ...changes }),
    save: async (changes) => {
      await editMember(c.get('core'), organization, { id, ...changes });
      return `${path}?done=saved`;
    },
  };
}
