import { fieldsOf, SetPassword } from '@dealkeep/contract';
import { activatePerson, deactivatePerson, type Person, Problem, setPassword } from '@dealkeep/core';
import type { Hono } from 'hono';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { idIn, requireOwner } from '../integrations/owners.ts';
import { beginningWith, onceBy, type Refusal, refusedForm } from '../integrations/refused-form.ts';
import { secretPage } from '../integrations/secret-page.ts';
import { bodyOf } from '../records/form/body-of.ts';
import { formPage, type ShownForm } from '../records/form/form-page.ts';
import { readingOf } from '../records/form/reading.ts';
import { receive } from '../records/form/received.ts';
import { once } from '../records/form/send.ts';
import { stepConflictPage } from '../records/step-conflict.ts';
import { isSelf, ownPasswordPath, peoplePath, personOf } from './people-parts.ts';
import { settingsSay } from './texts.ts';
import { usedAccess, usedAccessOf } from './used-access.ts';

const passwordFields = fieldsOf(SetPassword);

/** Whether somebody gets in: a new password, and the end and the return of their access. */
export function personAccessRoutes(app: Hono<ConsoleEnvironment>): void {
  const one = `${peoplePath}/:id`;
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
    ...bodyOf(passwordFields, typed, readingOf(c)),
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
