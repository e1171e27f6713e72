import { ChangePassword, type FieldFacts, fieldsOf, UpdateAccount } from '@dealkeep/contract';
import {
  changeOwnPassword,
  editAccount,
  endOtherSessions,
  getMember,
  listOwnSessions,
  type OwnSession,
} from '@dealkeep/core/accounts';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { writeSessionCookie } from '../auth/cookies.ts';
import { roleLabel } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { bodyOf } from '../forms/body.ts';
import { type EditForm, editPage, saveEdit } from '../forms/edit-form.ts';
import { formPage, type ShownForm } from '../forms/form-page.ts';
import { byContract } from '../forms/judge.ts';
import { receive } from '../forms/received.ts';
import { beginningWith, type Refusal, refusedForm } from '../forms/send.ts';
import { readingOf } from '../forms/typed.ts';
import { page } from '../frame/page.ts';
import { forgetLanguage } from '../language.ts';
import {
  badge,
  bar,
  type Column,
  card,
  type Fact,
  factList,
  linkButton,
  type Markup,
  quiet,
  table,
} from '../markup.ts';
import { browserName } from '../values/browser-name.ts';
import { nameFormat } from '../values/formats.ts';
import { momentOf } from '../values/shown-value.ts';
import { accountPath, ownPasswordPath } from './member-parts.ts';
import { doneNotice, settingsSay } from './texts.ts';

const accountFields: readonly FieldFacts[] = fieldsOf(UpdateAccount).map((field) =>
  field.name === 'name' ? { ...field, required: true } : field,
);
const passwordFields = fieldsOf(ChangePassword);

/** Everybody's own account. */
export function accountRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(accountPath, accountPage);
  app.get(`${accountPath}/edit`, async (c) => editPage(c, await editForm(c)));
  app.post(`${accountPath}/edit`, async (c) => saveEdit(c, await editForm(c)));
  app.get(ownPasswordPath, (c) => passwordPage(c, { state: beginningWith(passwordFields) }));
  app.post(ownPasswordPath, changePassword);
  app.get(`${accountPath}/end-sessions`, endSessionsPage);
  app.post(`${accountPath}/end-sessions`, async (c) => {
    await endOtherSessions(c.get('core'), sessionOf(c));
    return c.redirect(`${accountPath}?done=ended`, 303);
  });
}

const ownMember = (c: ConsoleContext) => {
  const { user, organization } = sessionOf(c);
  return getMember(c.get('core').sql, { organization: organization.id, id: user.id });
};

async function accountPage(c: ConsoleContext): Promise<Response> {
  const text = settingsSay(c.get('language'));
  const { name, email, role, language } = await ownMember(c);
  const sessions = await listOwnSessions(c.get('core'), sessionOf(c));
  const languages = nameFormat(c.get('language'), { type: 'language' });
  const facts: Fact[] = [
    [text('memberName'), name],
    [text('email'), html`${email} ${quiet(text('emailByOperator'))}`],
    [text('organization'), sessionOf(c).organization.name],
    [text('role'), roleLabel(c, role)],
    [text('language'), language === null ? text('notChosen') : languages.of(language)],
  ];
  const password = linkButton(ownPasswordPath, text('changePassword'), 'secondary');
  const endOthers = linkButton(`${accountPath}/end-sessions`, text('endOthers'), 'secondary');
  const content = html`${bar(text('account'), linkButton(`${accountPath}/edit`, text('edit')))}
${doneNotice(c)}
${card(text('facts'), html`${factList(facts)}\n<p class="choices">${password}</p>`)}
<div class="bar"><h2>${text('sessions')}</h2>${sessions.length > 1 ? endOthers : ''}</div>
${table(sessionColumns(c), sessions)}`;
  return page(c, { title: text('account'), content });
}

function sessionColumns(c: ConsoleContext): Column<OwnSession>[] {
  const text = settingsSay(c.get('language'));
  const browser = ({ user_agent: agent, current }: OwnSession): Markup => {
    const here = current ? html` ${badge(text('thisOne'), 'good')}` : '';
    return html`${browserName(agent) ?? text('unknownBrowser')}${here}`;
  };
  return [
    { label: text('browser'), cell: browser },
    { label: text('since'), cell: ({ created_at: since }) => momentOf(c, since) },
    { label: text('lastSeen'), cell: ({ last_seen_at: seen }) => momentOf(c, seen) },
  ];
}

async function editForm(c: ConsoleContext): Promise<EditForm> {
  const { name, language } = await ownMember(c);
  return {
    title: settingsSay(c.get('language'))('editAccount'),
    action: `${accountPath}/edit`,
    back: accountPath,
    fields: accountFields,
    shown: { name, language },
    problemsOf: (changes) => byContract(UpdateAccount)(c, changes),
    save: async (changes) => {
      await editAccount(c.get('core'), sessionOf(c), changes);
      // Otherwise a language that was chosen earlier on this browser would take precedence.
      if ('language' in changes) forgetLanguage(c);
      return `${accountPath}?done=saved`;
    },
  };
}

type Form = Pick<ShownForm, 'state'> & Partial<ShownForm> & Partial<Pick<Refusal, 'status'>>;

function passwordPage(c: ConsoleContext, { status, ...form }: Form): Promise<Response> {
  const text = settingsSay(c.get('language'));
  return formPage(
    c,
    {
      title: text('changePassword'),
      about: text('changePasswordAbout'),
      action: ownPasswordPath,
      back: accountPath,
      button: text('changePassword'),
      ...form,
    },
    status,
  );
}

async function changePassword(c: ConsoleContext): Promise<Response> {
  const session = sessionOf(c);
  const received = await receive(c, passwordFields);
  if ('again' in received) return passwordPage(c, received.again);
  const typed = received.send;
  const body = bodyOf(passwordFields, typed, readingOf(c));
  try {
    const input = body as Parameters<typeof changeOwnPassword>[2];
    writeSessionCookie(c, await changeOwnPassword(c.get('core'), session, input));
    return c.redirect(`${accountPath}?done=password`, 303);
  } catch (error) {
    return passwordPage(c, refusedForm(c, passwordFields, typed, error));
  }
}

function endSessionsPage(c: ConsoleContext): Promise<Response> {
  const text = settingsSay(c.get('language'));
  return formPage(c, {
    title: text('endOthersTitle'),
    about: text('endOthersAbout'),
    action: `${accountPath}/end-sessions`,
    back: accountPath,
    button: text('endOthers'),
    danger: true,
    state: beginningWith([]),
  });
}
