import { activateMember, deactivateMember, type Member, Problem } from '@dealkeep/core';
import type { Hono } from 'hono';
import { idIn, requireOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { formPage } from '../forms/form-page.ts';
import { beginningWith } from '../forms/refused-form.ts';
import { stepConflictPage } from '../forms/step-conflict.ts';
import { isSelf, memberOf, membersPath } from './member-parts.ts';
import { settingsSay } from './texts.ts';
import { usedAccess, usedAccessOf } from './used-access.ts';

/** The end of somebody's access to the organization, and its return. */
export function memberAccessRoutes(app: Hono<ConsoleEnvironment>): void {
  const one = `${membersPath}/:id`;
  app.get(`${one}/deactivate`, async (c) => deactivatePage(c, await memberOf(c)));
  app.post(`${one}/deactivate`, deactivate);
  app.post(`${one}/activate`, async (c) => {
    const { organization } = requireOwner(c);
    await activateMember(c.get('core'), organization, { id: idIn(c) });
    return c.redirect(`${membersPath}/${idIn(c)}?done=activated`, 303);
  });
}

async function deactivatePage(c: ConsoleContext, person: Member): Promise<Response> {
  const text = settingsSay(c.get('language'));
  const { id, name } = person;
  const back = `${membersPath}/${id}`;
  if (!person.active) return stepConflictPage(c, { back });
  const used = await usedAccessOf(c, person);
  const about = isSelf(c) ? `${text('yourself')} ${text('deactivateAbout')}` : text('deactivateAbout');
  return formPage(c, {
    title: text('deactivateTitle', { name }),
    about,
    concerned: usedAccess(c, used, 'ends'),
    action: `${back}/deactivate`,
    back,
    button: text('deactivate'),
    danger: true,
    state: beginningWith([]),
  });
}

async function deactivate(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const back = `${membersPath}/${idIn(c)}`;
  try {
    await deactivateMember(c.get('core'), organization, { id: idIn(c) });
    return c.redirect(`${back}?done=deactivated`, 303);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'CONFLICT') throw error;
    return stepConflictPage(c, { back, problem: error });
  }
}
