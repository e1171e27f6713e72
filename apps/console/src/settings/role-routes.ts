import { CreateRole, entityLabels, fieldsOf, permissionEntities } from '@dealkeep/contract';
import {
  addRole,
  editRole,
  getRole,
  listRoles,
  Problem,
  type Role,
  removeRole,
  roleProblems,
} from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { idIn, requireOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { bodyOf } from '../forms/body.ts';
import { formPage, type ShownForm } from '../forms/form-page.ts';
import { receive } from '../forms/received.ts';
import { beginningWith, once, onceBy, type Refusal, refusedForm, stepConflictPage } from '../forms/send.ts';
import { readingOf } from '../forms/typed.ts';
import { page } from '../frame/page.ts';
import type { Markup } from '../markup.ts';
import { type EditForm, editPage, saveEdit } from './edit-form.ts';
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
  const create = html`<a class="button" href="${rolesPath}/new">${text('newRole')}</a>`;
  const content = html`<div class="bar"><h1>${text('roles')}</h1>${create}</div>
<p>${text('rolesAbout')}</p>
${doneNotice(c)}
${
  roles.length === 0
    ? html`<div class="card empty"><h2>${text('noRoles')}</h2><p>${text('rolesTeach')}</p><p class="choices centered">${create}</p></div>`
    : html`<div class="scroll"><table><thead><tr><th scope="col">${text('name')}</th><th scope="col">${text('permits')}</th><th scope="col">${text('whoHasIt')}</th><th scope="col"><span class="visually-hidden">${text('actions')}</span></th></tr></thead>
<tbody>${roles.map((role) => roleRow(c, role))}</tbody></table></div>`
}`;
  return page(c, { title: text('roles'), content });
}

function roleRow(c: ConsoleContext, { id, name, permissions, people }: Role): Markup {
  const [language, text] = [c.get('language'), settingsSay(c.get('language'))];
  const seen = permissionEntities
    .filter((entity) => permissions[`${entity}.view`] !== undefined)
    .map((entity) => entityLabels[entity][language]);
  const quiet = (word: 'noPermission' | 'nobody'): Markup => html`<span class="quiet">${text(word)}</span>`;
  return html`<tr><th scope="row"><a href="${rolesPath}/${id}/edit">${name}</a></th><td data-label="${text('permits')}">${seen.length > 0 ? seen.join(', ') : quiet('noPermission')}</td><td data-label="${text('whoHasIt')}">${people.length > 0 ? people.map((each) => each.name).join(', ') : quiet('nobody')}</td>
<td><a href="${rolesPath}/${id}/remove">${text('remove')}<span class="visually-hidden"> (${name})</span></a></td></tr>`;
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
  const { user, organization } = requireOwner(c);
  const received = await receive(c, fields);
  if ('again' in received) return newRolePage(c, received.again);
  const typed = received.send;
  const body = bodyOf(fields, typed, readingOf(c));
  try {
    const input = body as Parameters<typeof addRole>[2];
    await once(() => addRole(c.get('core'), organization, input, onceBy(user.id, typed)));
    return c.redirect(`${rolesPath}?done=made`, 303);
  } catch (error) {
    return newRolePage(c, refusedForm(c, fields, typed, error));
  }
}

async function editForm(c: ConsoleContext): Promise<EditForm> {
  const { organization } = requireOwner(c);
  const { id, name, permissions } = await roleOf(c);
  return {
    title: settingsSay(c.get('language'))('editTitle', { name }),
    action: `${rolesPath}/${id}/edit`,
    back: rolesPath,
    fields,
    shown: { name, permissions },
    layout: (state) => roleLayout(c, state),
    problemsOf: (changes) => roleProblems(c.get('core'), organization, { id, ...changes }),
    save: async (changes) => {
      await editRole(c.get('core'), organization, { id, ...changes });
      return `${rolesPath}?done=saved`;
    },
  };
}

/** While people have the role it cannot go, and says whose role is to be changed first. */
function removePage(c: ConsoleContext, { id, name, people }: Role): Promise<Response> {
  const text = settingsSay(c.get('language'));
  const title = text('removeRole', { name });
  if (people.length > 0) {
    const links = people.map(
      (each) => html`<li><a href="${membersPath}/${each.id}/edit">${each.name}</a></li>`,
    );
    const content = html`<h1>${title}</h1><p class="problem" role="alert">${text('roleInUse')}</p><ul>${links}</ul><p><a class="button" href="${rolesPath}">${text('back')}</a></p>`;
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
  const { organization } = requireOwner(c);
  try {
    await removeRole(c.get('core'), organization, { id: idIn(c) });
    return c.redirect(`${rolesPath}?done=removed`, 303);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'CONFLICT') throw error;
    return stepConflictPage(c, { back: rolesPath, problem: error });
  }
}
