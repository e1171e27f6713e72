import { type FieldFacts, fieldsOf, UpdateMember } from '@dealkeep/contract';
import { listInvitations, listMembers, type Member } from '@dealkeep/core/accounts';
import { problemsForUser, runAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { buttonForm } from '../auth/forgery.ts';
import { requireOwner, roleLabel } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { type EditForm, editPage, saveEdit } from '../forms/edit-form.ts';
import { page } from '../frame/page.ts';
import {
  bar,
  button,
  type Column,
  card,
  type Fact,
  factList,
  linkButton,
  type Markup,
  quiet,
  table,
  trail,
} from '../markup.ts';
import { nameFormat } from '../values/formats.ts';
import { momentOf } from '../values/shown-value.ts';
import { invitationTable, invitePath } from './invitation-routes.ts';
import { usedAccess, usedAccessOf } from './member-access.ts';
import { accessBadge, isSelf, memberOf, membersPath, ownPasswordPath, withRoles } from './member-parts.ts';
import { doneNotice, settingsSay } from './texts.ts';

/** The members of the organization, and who is invited. */
export function membersRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(membersPath, membersPage);
}

async function membersPage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const text = settingsSay(c.get('language'));
  const members = await listMembers(c.get('core'), organization);
  const invitations = await listInvitations(c.get('core'), organization);
  const content = html`${bar(text('members'), linkButton(invitePath, text('invite')))}
<p>${text('membersAbout')}</p>
${doneNotice(c)}
${table(memberColumns(c), members)}
${invitationTable(c, invitations)}`;
  return page(c, { title: text('members'), content });
}

function memberColumns(c: ConsoleContext): Column<Member>[] {
  const text = settingsSay(c.get('language'));
  const you = (id: string): Markup | string => (isSelf(c, id) ? html` ${quiet(text('you'))}` : '');
  return [
    {
      label: text('memberName'),
      cell: ({ id, name }) => html`<a href="${membersPath}/${id}">${name}</a>${you(id)}`,
    },
    { label: text('email'), cell: ({ email }) => email },
    { label: text('role'), cell: ({ role }) => roleLabel(c, role) },
    { label: text('state'), cell: (member) => accessBadge(c, member) },
    {
      label: text('lastSignIn'),
      cell: ({ last_signed_in_at: last }) => (last ? momentOf(c, last) : quiet(text('never'))),
    },
  ];
}

const editFields: readonly FieldFacts[] = fieldsOf(UpdateMember).map((field) =>
  field.name === 'language' ? field : { ...field, required: true },
);

/** One member: what is known, and what owners can change of it. */
export function memberRoutes(app: Hono<ConsoleEnvironment>): void {
  const one = `${membersPath}/:id`;
  app.get(one, memberPage);
  app.get(`${one}/edit`, async (c) => editPage(c, await editForm(c)));
  app.post(`${one}/edit`, async (c) => saveEdit(c, await editForm(c)));
}

async function memberPage(c: ConsoleContext): Promise<Response> {
  const member = await memberOf(c);
  const text = settingsSay(c.get('language'));
  const path = `${membersPath}/${member.id}`;
  const used = await usedAccessOf(c, member);
  const content = html`${trail(membersPath, text('members'))}
${bar(html`${member.name} ${accessBadge(c, member)}`, linkButton(`${path}/edit`, text('edit')))}
${doneNotice(c)}
${card(text('steps'), html`<div class="choices steps">${steps(c, member)}</div>`)}
${card(text('facts'), factList(facts(c, member)))}
<section class="card"><h2>${text('usedBy')}</h2>${usedAccess(c, used)}</section>`;
  return page(c, { title: member.name, content });
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
  const password = isSelf(c, id) ? linkButton(ownPasswordPath, text('changePassword'), 'secondary') : '';
  return active
    ? html`${password}${linkButton(`${path}/deactivate`, text('deactivate'), 'secondary')}`
    : html`${buttonForm(c, `${path}/activate`, button(text('activate')))}${password}`;
}

async function editForm(c: ConsoleContext): Promise<EditForm> {
  const session = requireOwner(c);
  const { id, name, role, language } = await memberOf(c);
  const back = `${membersPath}/${id}`;
  const path = { id };
  return {
    title: settingsSay(c.get('language'))('editTitle', { name }),
    about: settingsSay(c.get('language'))('editMemberAbout'),
    action: `${back}/edit`,
    back,
    fields: await withRoles(c, editFields),
    shown: { name, role, language },
    problemsOf: (body) => problemsForUser(c.get('core'), session, 'members.edit', { path, body }),
    save: async (body) => {
      await runAsUser(c.get('core'), session, 'members.edit', { path, body });
      return `${back}?done=saved`;
    },
  };
}
