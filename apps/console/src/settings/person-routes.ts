import { fieldsOf, SetPassword } from '@dealkeep/contract';
import {
  activatePerson,
  deactivatePerson,
  editPerson,
  getPerson,
  type Person,
  Problem,
  setPassword,
} from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { type Fact, factList } from '../fact-list.ts';
import { forgeryField } from '../forgery.ts';
import { nameFormat } from '../formats.ts';
import { idIn, requireOwner } from '../integrations/owners.ts';
import { beginningWith, onceBy, type Refusal, refusedForm } from '../integrations/refused-form.ts';
import { secretPage } from '../integrations/secret-page.ts';
import type { Markup } from '../markup.ts';
import { page } from '../page.ts';
import { bodyOf } from '../records/form/body-of.ts';
import { formPage, type ShownForm } from '../records/form/form-page.ts';
import { receive } from '../records/form/received.ts';
import { once } from '../records/form/send.ts';
import { stepConflictPage } from '../records/step-conflict.ts';
import { recordSay } from '../records/texts.ts';
import { momentOf } from '../records/value.ts';
import { accountPath } from './account-routes.ts';
import { type EditForm, editPage, saveEdit } from './edit-form.ts';
import { accessBadge, isSelf, peoplePath, personFields, roleLabel } from './people-parts.ts';
import { doneNotice, settingsSay } from './texts.ts';
import { usedAccess, usedAccessOf } from './used-access.ts';

const passwordFields = fieldsOf(SetPassword);
const ownPasswordPath = `${accountPath}/password`;

/** One person: what is known, and what owners can change of it. */
export function personRoutes(app: Hono<ConsoleEnvironment>): void {
  const one = `${peoplePath}/:id`;
  app.get(one, personPage);
  app.get(`${one}/edit`, async (c) => editPage(c, await editForm(c)));
  app.post(`${one}/edit`, async (c) => saveEdit(c, await editForm(c)));
  app.get(`${one}/password`, async (c) => {
    const person = await personOf(c);
    // One's own asks for the current one first.
    if (isSelf(c)) return c.redirect(ownPasswordPath, 303);
    return passwordPage(c, person, { state: beginningWith(passwordFields) });
  });
  app.post(`${one}/password`, changePassword);
  app.get(`${one}/deactivate`, async (c) => deactivatePage(c, await personOf(c)));
  app.post(`${one}/deactivate`, deactivate);
  app.post(`${one}/activate`, async (c) => {
    const { organization } = requireOwner(c);
    await activatePerson(c.get('core'), organization, { id: idIn(c) });
    return c.redirect(`${peoplePath}/${idIn(c)}?done=activated`, 303);
  });
}

/** The person of the path. Raises NOT_FOUND. */
function personOf(c: ConsoleContext): Promise<Person> {
  const { organization } = requireOwner(c);
  return getPerson(c.get('core').sql, { organization: organization.id, id: idIn(c) });
}

async function personPage(c: ConsoleContext): Promise<Response> {
  const person = await personOf(c);
  const text = settingsSay(c.get('language'));
  const path = `${peoplePath}/${person.id}`;
  const used = await usedAccessOf(c, person);
  const content = html`<p class="trail"><a href="${peoplePath}">${text('people')}</a></p>
<div class="bar"><h1>${person.name} ${accessBadge(c, person)}</h1><a class="button" href="${path}/edit">${text('edit')}</a></div>
${doneNotice(c)}
<section class="card" aria-label="${text('steps')}"><div class="choices steps">${steps(c, person)}</div></section>
<section class="card" aria-label="${text('facts')}">${factList(facts(c, person))}</section>
<section class="card"><h2>${text('usedBy')}</h2>${usedAccess(c, used)}</section>`;
  return page(c, { title: person.name, content });
}

function facts(c: ConsoleContext, { email, role, language, last_signed_in_at: last }: Person): Fact[] {
  const text = settingsSay(c.get('language'));
  const languages = nameFormat(c.get('language'), { type: 'language' });
  return [
    [text('email'), email],
    [text('role'), roleLabel(c, role)],
    [text('language'), language === null ? text('notChosen') : languages.of(language)],
    [text('lastSignIn'), last === null ? text('never') : momentOf(c, last)],
  ];
}

function steps(c: ConsoleContext, { id, active }: Person): Markup {
  const text = settingsSay(c.get('language'));
  const path = `${peoplePath}/${id}`;
  const password = html`<a class="button secondary" href="${isSelf(c, id) ? ownPasswordPath : `${path}/password`}">${text(isSelf(c, id) ? 'changePassword' : 'setPassword')}</a>`;
  return active
    ? html`${password}<a class="button secondary" href="${path}/deactivate">${text('deactivate')}</a>`
    : html`<form class="in-line" method="post" action="${path}/activate">${forgeryField(c)}<button>${text('activate')}</button></form>${password}`;
}

async function editForm(c: ConsoleContext): Promise<EditForm> {
  const { organization } = requireOwner(c);
  const { id, name, email, role, language } = await personOf(c);
  const path = `${peoplePath}/${id}`;
  return {
    title: recordSay(c.get('language'))('editTitle', { name }),
    about: settingsSay(c.get('language'))('editPersonAbout'),
    ...{ action: `${path}/edit`, back: path },
    fields: (await personFields(c)).filter((field) => field.name !== 'password'),
    shown: { name, email, role, language },
    save: async (changes) => {
      await editPerson(c.get('core'), organization, { id, ...changes });
      return `${path}?done=saved`;
    },
  };
}

type Form = Pick<ShownForm, 'state'> & Partial<ShownForm> & Partial<Pick<Refusal, 'status'>>;

function passwordPage(c: ConsoleContext, { id, name }: Person, { status, ...form }: Form): Promise<Response> {
  const text = settingsSay(c.get('language'));
  const back = `${peoplePath}/${id}`;
  return formPage(
    c,
    {
      ...{ title: `${text('setPassword')}: ${name}`, about: text('setPasswordAbout') },
      ...{ action: `${back}/password`, back, button: text('setPassword'), ...form },
    },
    status,
  );
}

async function changePassword(c: ConsoleContext): Promise<Response> {
  const { user, organization } = requireOwner(c);
  const person = await personOf(c);
  if (isSelf(c)) return c.redirect(ownPasswordPath, 303);
  const received = await receive(c, passwordFields);
  if ('again' in received) return passwordPage(c, person, { state: received.again });
  const typed = received.send;
  const input = {
    id: person.id,
    ...bodyOf(passwordFields, typed, { timeZone: organization.timeZone, clears: false }),
  };
  try {
    const { madeUp } = await once(() =>
      setPassword(c.get('core'), organization, input, onceBy(user.id, typed, passwordFields)),
    );
    const back = `${peoplePath}/${person.id}`;
    if (madeUp === null) return c.redirect(`${back}?done=password`, 303);
    const text = settingsSay(c.get('language'));
    const title = text('passwordSet', { name: person.name });
    return secretPage(c, { title, about: text('madeUpAbout'), secret: madeUp, back });
  } catch (error) {
    return passwordPage(c, person, refusedForm(c, passwordFields, typed, error));
  }
}

async function deactivatePage(c: ConsoleContext, person: Person): Promise<Response> {
  const text = settingsSay(c.get('language'));
  const { id, name } = person;
  const back = `${peoplePath}/${id}`;
  if (!person.active) return stepConflictPage(c, { back });
  const used = await usedAccessOf(c, person);
  const about = isSelf(c) ? `${text('yourself')} ${text('deactivateAbout')}` : text('deactivateAbout');
  return formPage(c, {
    ...{ title: text('deactivateTitle', { name }), about, concerned: usedAccess(c, used, 'ends') },
    ...{ action: `${back}/deactivate`, back, button: text('deactivate'), danger: true },
    state: beginningWith([]),
  });
}

async function deactivate(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const back = `${peoplePath}/${idIn(c)}`;
  try {
    await deactivatePerson(c.get('core'), organization, { id: idIn(c) });
    return c.redirect(`${back}?done=deactivated`, 303);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'CONFLICT') throw error;
    return stepConflictPage(c, { back, problem: error });
  }
}
