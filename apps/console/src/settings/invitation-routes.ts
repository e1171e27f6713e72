import { fieldsOf, InviteMember } from '@dealkeep/contract';
import { getInvitation, type Invitation } from '@dealkeep/core/accounts';
import { runAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { buttonForm } from '../auth/forgery.ts';
import { idIn, requireOwner, roleLabel } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { bodyOf } from '../forms/body.ts';
import { countsOnce, formPage, type ShownForm, secretPage } from '../forms/form-page.ts';
import { receive } from '../forms/received.ts';
import { beginningWith, formKey, once, type Refusal, refusedForm } from '../forms/send.ts';
import { firstOf, readingOf, readTyped } from '../forms/typed.ts';
import { badge, button, type Column, type Markup, table, unseen } from '../markup.ts';
import { momentOf } from '../values/shown-value.ts';
import { membersPath, withRoles } from './member-parts.ts';
import { settingsSay } from './texts.ts';

/** Asks somebody to the organization, asks again, and takes it back. */
export function invitationRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(invitePath, async (c) => {
    const typed = new Map([['language', [c.get('language')]]]);
    return invitePage(c, { state: beginningWith(await inviteFields(c), typed) });
  });
  app.post(invitePath, invite);
  app.post(`${invitationsPath}/:id/again`, sendAgain);
  app.post(`${invitationsPath}/:id/withdraw`, async (c) => {
    await runAsUser(c.get('core'), requireOwner(c), 'invitations.withdraw', { path: { id: idIn(c) } });
    return c.redirect(`${membersPath}?done=withdrawn`, 303);
  });
}

const inviteFields = (c: ConsoleContext) => withRoles(c, fieldsOf(InviteMember));

type Form = Pick<ShownForm, 'state'> & Partial<ShownForm> & Partial<Pick<Refusal, 'status'>>;

function invitePage(c: ConsoleContext, { status, ...form }: Form): Promise<Response> {
  requireOwner(c);
  const text = settingsSay(c.get('language'));
  const [action, back, about] = [invitePath, membersPath, text('inviteAbout')];
  const shown = { title: text('invite'), about, action, back, button: text('sendInvitation'), ...form };
  return formPage(c, shown, status);
}

async function invite(c: ConsoleContext): Promise<Response> {
  const session = requireOwner(c);
  const fields = await inviteFields(c);
  const received = await receive(c, fields);
  if ('again' in received) return invitePage(c, received.again);
  const typed = received.send;
  const body = bodyOf(fields, typed, readingOf(c));
  try {
    const { link } = await once(() =>
      runAsUser(c.get('core'), session, 'invitations.send', { body }, formKey(typed)),
    );
    return sent(c, { link, email: firstOf(typed, 'email') });
  } catch (error) {
    return invitePage(c, refusedForm(c, fields, typed, error));
  }
}

async function sendAgain(c: ConsoleContext): Promise<Response> {
  const session = requireOwner(c);
  const [core, id] = [c.get('core'), idIn(c)];
  const typed = await readTyped(c);
  const { email } = await getInvitation(
    core.sql,
    { organization: session.organization.id, id },
    core.clock.now().toISOString(),
  );
  const { link } = await once(() =>
    runAsUser(core, session, 'invitations.send-again', { path: { id } }, formKey(typed)),
  );
  return sent(c, { link, email });
}

/** Where no mail is set up, an owner hands the link over; it is shown this once. */
function sent(
  c: ConsoleContext,
  { link, email }: { link: string | null; email: string },
): Response | Promise<Response> {
  if (link === null) return c.redirect(`${membersPath}?done=invited`, 303);
  const text = settingsSay(c.get('language'));
  const title = text('invitationMade', { email });
  return secretPage(c, { title, about: text('linkAbout'), secret: link, back: membersPath });
}

const invitationsPath = `${membersPath}/invitations`;
export const invitePath = `${invitationsPath}/new`;

/** Who is invited and has not accepted; nothing where that is nobody. */
export function invitationTable(c: ConsoleContext, invitations: readonly Invitation[]): Markup | string {
  const text = settingsSay(c.get('language'));
  if (invitations.length === 0) return '';
  return html`<h2>${text('invited')}</h2>
${table(invitationColumns(c), invitations)}`;
}

function invitationColumns(c: ConsoleContext): Column<Invitation>[] {
  const text = settingsSay(c.get('language'));
  const step = (name: 'again' | 'withdraw', { id, email }: Invitation): Markup => {
    const label = html`${text(name === 'again' ? 'sendAgain' : 'withdraw')}${unseen(` ${email}`)}`;
    return buttonForm(
      c,
      `${invitationsPath}/${id}/${name}`,
      html`${countsOnce()}${button(label, { look: 'link' })}`,
    );
  };
  return [
    { label: text('email'), cell: ({ email }) => email },
    { label: text('role'), cell: ({ role }) => roleLabel(c, role) },
    { label: text('invitedBy'), cell: ({ invited_by: by }) => by },
    {
      label: text('validUntil'),
      cell: ({ expired, expires_at: until }) =>
        html`${momentOf(c, until)}${expired ? html` ${badge(text('isExpired'), 'bad')}` : ''}`,
    },
    {
      label: text('steps'),
      holds: 'steps',
      cell: (invitation) => html`${step('again', invitation)} ${step('withdraw', invitation)}`,
    },
  ];
}
