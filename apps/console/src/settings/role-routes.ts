import { CreateRole, entityLabels, fieldsOf, permissionEntities } from '@dealkeep/contract';
import { getRole, listRoles, type Role } from '@dealkeep/core/accounts';
import { Problem } from '@dealkeep/core/foundations';
import { problemsForUser, runAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { idIn, requireOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { bodyOf } from '../forms/body.ts';
import { type EditForm, editPage, saveEdit } from '../forms/edit-form.ts';
import { formPage, type ShownForm } from '../forms/form-page.ts';
import { receive } from '../forms/received.ts';
import { beginningWith, formKey, once, type Refusal, refusedForm, stepConflictPage } from '../forms/send.ts';
import { readingOf } from '../forms/typed.ts';
import { page } from '../frame/page.ts';
import {
  alert,
  bar,
  bulletList,
  type Column,
  emptyState,
  linkButton,
  quiet,
  table,
  unseen,
} from '../markup.ts';
import { membersPath, rolesPath } from './member-parts.ts';
import { roleLayout } from './permission-matrix.ts';
import { doneNotice, settingsSay } from './texts.ts';

const fields = fieldsOf(CreateRole);

/** The roles of the organization: what there is, a new one, a change, the end of one. */
export function roleRoutes(app: Hono<ConsoleEnvironment>): void {
  const one = `${rolesPath}/:id`;
  app.get(rolesPath, rolesPage);
  app.get(`${rolesPath}/new`, (c) => {
    requireOwner(c);
    return newRolePage(c, { state: beginningWith(fields) });
  });
  app.post(`${rolesPath}/new`, createRole);
  app.get(`${one}/edit`, async (c) => editPage(c, await editForm(c)));
  app.post(`${one}/edit`, async (c) => saveEdit(c, await editForm(c)));
  app.get(`${one}/remove`, async (c) => removePage(c, await roleOf(c)));
  app.post(`${one}/remove`, remove);
}

const roleOf = (c: ConsoleContext): Promise<Role> =>
  getRole(c.get('core'), requireOwner(c).organization, idIn(c));

async function rolesPage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const text = settingsSay(c.get('language'));
  const roles = await listRoles(c.get('core'), organization);
  const create = linkButton(`${rolesPath}/new`, text('newRole'));
  const content = html`${bar(text('roles'), create)}
<p>${text('rolesAbout')}</p>
${doneNotice(c)}
${
  roles.length === 0
    ? emptyState(text('rolesTeach'), { title: text('noRoles'), steps: create })
    : table(columns(c), roles)
}`;
  return page(c, { title: text('roles'), content });
}

function columns(c: ConsoleContext): Column<Role>[] {
  const [language, text] = [c.get('language'), settingsSay(c.get('language'))];
  const seen = ({ permissions }: Role): string =>
    permissionEntities
      .filter((entity) => permissions[`${entity}.view`] !== undefined)
      .map((entity) => entityLabels[entity][language])
      .join(', ');
  const whoHas = ({ members }: Role): string => members.map((each) => each.name).join(', ');
  return [
    { label: text('name'), cell: ({ id, name }) => html`<a href="${rolesPath}/${id}/edit">${name}</a>` },
    { label: text('permits'), cell: (role) => seen(role) || quiet(text('noPermission')) },
    { label: text('whoHasIt'), cell: (role) => whoHas(role) || quiet(text('nobody')) },
    {
      label: text('actions'),
      holds: 'steps',
      cell: ({ id, name }) =>
        html`<a href="${rolesPath}/${id}/remove">${text('remove')}${unseen(` (${name})`)}</a>`,
    },
  ];
}

type Form = Pick<ShownForm, 'state'> & Partial<ShownForm> & Partial<Pick<Refusal, 'status'>>;

async function newRolePage(c: ConsoleContext, { status, ...form }: Form): Promise<Response> {
  const text = settingsSay(c.get('language'));
  return formPage(
    c,
    {
      title: text('newRole'),
      action: `${rolesPath}/new`,
      back: rolesPath,
      button: text('createRole'),
      fields: await roleLayout(c, form.state),
      ...form,
    },
    status,
  );
}

async function createRole(c: ConsoleContext): Promise<Response> {
  const session = requireOwner(c);
  const received = await receive(c, fields);
  if ('again' in received) return newRolePage(c, received.again);
  const typed = received.send;
  const body = bodyOf(fields, typed, readingOf(c));
  try {
    await once(() => runAsUser(c.get('core'), session, 'roles.add', { body }, formKey(typed)));
    return c.redirect(`${rolesPath}?done=made`, 303);
  } catch (error) {
    return newRolePage(c, refusedForm(c, fields, typed, error));
  }
}

async function editForm(c: ConsoleContext): Promise<EditForm> {
  const session = requireOwner(c);
  const { id, name, permissions } = await roleOf(c);
  const path = { id };
  return {
    title: settingsSay(c.get('language'))('editTitle', { name }),
    action: `${rolesPath}/${id}/edit`,
    back: rolesPath,
    fields,
    shown: { name, permissions },
    layout: (state) => roleLayout(c, state),
    problemsOf: (body) => problemsForUser(c.get('core'), session, 'roles.edit', { path, body }),
    save: async (body) => {
      await runAsUser(c.get('core'), session, 'roles.edit', { path, body });
      return `${rolesPath}?done=saved`;
    },
  };
}

/** While members have the role it cannot go, and says whose role is to be changed first. */
function removePage(c: ConsoleContext, { id, name, members }: Role): Promise<Response> {
  const text = settingsSay(c.get('language'));
  const title = text('removeRole', { name });
  if (members.length > 0) {
    const links = members.map((each) => html`<a href="${membersPath}/${each.id}/edit">${each.name}</a>`);
    const back = linkButton(rolesPath, text('back'));
    const content = html`<h1>${title}</h1>${alert(text('roleInUse'))}${bulletList(links)}<p>${back}</p>`;
    return page(c, { title, content }, 409);
  }
  return formPage(c, {
    title,
    about: text('removeRoleAbout'),
    action: `${rolesPath}/${id}/remove`,
    back: rolesPath,
    button: text('remove'),
    danger: true,
    state: beginningWith([]),
  });
}

async function remove(c: ConsoleContext): Promise<Response> {
  const session = requireOwner(c);
  try {
    await runAsUser(c.get('core'), session, 'roles.remove', { path: { id: idIn(c) } });
    return c.redirect(`${rolesPath}?done=removed`, 303);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'CONFLICT') throw error;
    return stepConflictPage(c, { back: rolesPath, problem: error });
  }
}
