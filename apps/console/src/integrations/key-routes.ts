import {
  allScopes,
  CreateApiKey,
  fieldsOf,
  keyPurposes,
  type Scope,
  scopes,
  UpdateApiKey,
} from '@dealkeep/contract';
import { type ApiKey, listApiKeysOf, listEndedApiKeysOf } from '@dealkeep/core/accounts';
import { listWebhooksWithHealth } from '@dealkeep/core/delivering';
import { notFound } from '@dealkeep/core/foundations';
import { assistantReach, lesserReach } from '@dealkeep/core/identity';
import { problemsForUser, runAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { idIn, requireOwner, requirePayingOwner } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { bodyOf } from '../forms/body.ts';
import { radiosMarkup } from '../forms/choice-controls.ts';
import { type EditForm, editPage, saveEdit } from '../forms/edit-form.ts';
import { fieldsMarkup } from '../forms/field-markup.ts';
import { formPage, type ShownForm } from '../forms/form-page.ts';
import type { FormState } from '../forms/labelled-control.ts';
import { fieldsWith } from '../forms/own-controls.ts';
import { receive } from '../forms/received.ts';
import { beginningWith, formKey, once, refusedForm } from '../forms/send.ts';
import { readingOf } from '../forms/typed.ts';
import { withIcon } from '../frame/icons.ts';
import { page } from '../frame/page.ts';
import {
  badge,
  bar,
  type Column,
  choices,
  emptyState,
  folded,
  linkButton,
  type Markup,
  table,
  unseen,
} from '../markup.ts';
import { assistantReachWords } from '../values/assistant-reach.ts';
import { accessWords } from './access-words.ts';
import { concernedHooks, lastUse } from './credentials.ts';
import { endOf, keyMark, keyPage, keysPath, newKeyPage } from './key-page.ts';
import { doneNotice, integrationSay } from './texts.ts';

const path = keysPath;
const fields = fieldsOf(CreateApiKey);
/** A form shows them all; which sets of tools, may be left empty. */
const assistantFields = fieldsOf(UpdateApiKey).map((field) => ({ ...field, required: !field.nullable }));

/** API keys: what there is, a new one, and the end of one. */
export function keyRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(path, keysPage);
  app.get(`${path}/new`, (c) => {
    requireOwner(c);
    const asked = c.req.query('access');
    const typed = new Map([['assistant_access', ['all']]]);
    if (asked !== undefined) typed.set('access', [asked]);
    return newKeyForm(c, { state: beginningWith(fields, typed) });
  });
  app.post(`${path}/new`, createKey);
  app.get(`${path}/:id`, keyPage);
  app.get(`${path}/:id/edit`, async (c) => editPage(c, await assistantsForm(c)));
  app.post(`${path}/:id/edit`, async (c) => saveEdit(c, await assistantsForm(c)));
  app.get(`${path}/:id/revoke`, revokePage);
  app.post(`${path}/:id/revoke`, async (c) => {
    await runAsUser(c.get('core'), sessionOf(c), 'api-keys.revoke', { path: { id: idIn(c) } });
    return c.redirect(`${path}?done=revoked`, 303);
  });
}

async function keysPage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const text = integrationSay(c.get('language'));
  const keys = await listApiKeysOf(c.get('core'), organization);
  const ended = await listEndedApiKeysOf(c.get('core'), organization);
  const create = linkButton(`${path}/new`, withIcon('plus', text('newKey')));
  const content = html`${bar(text('keys'), choices(create))}
${doneNotice(c)}
${
  keys.length === 0
    ? emptyState(text('keysTeach'), { title: text('noKeys'), steps: create })
    : table(columns(c), keys)
}
${ended.length === 0 ? '' : folded(text('endedKeys', { count: ended.length }), table(endedColumns(c), ended))}`;
  return page(c, { title: text('keys'), content });
}

const nameColumn = (c: ConsoleContext): Column<ApiKey> => ({
  label: integrationSay(c.get('language'))('name'),
  cell: (key) =>
    html`<a href="${path}/${key.id}">${key.name}</a>${
      key.legacy ? html` ${badge(integrationSay(c.get('language'))('legacy'))}` : ''
    }<br><span class="quiet mono">${keyMark(c, key)}</span>`,
});

function columns(c: ConsoleContext): Column<ApiKey>[] {
  const text = integrationSay(c.get('language'));
  return [
    nameColumn(c),
    { label: text('mayDo'), cell: (key) => accessWords(c.get('language'), key.scopes) },
    {
      label: text('assistants'),
      cell: (key) => assistantReachWords(c, lesserReach(sessionOf(c).assistants, assistantReach(key))),
    },
    { label: text('lastUse'), cell: (key) => lastUse(c, key) },
    { label: text('owner'), cell: ({ owner }) => owner },
    {
      label: text('actions'),
      holds: 'steps',
      cell: ({ id, name }) =>
        html`<a href="${path}/${id}/revoke">${text('revoke')}${unseen(` (${name})`)}</a>`,
    },
  ];
}

/** Those that no program can use any more. */
function endedColumns(c: ConsoleContext): Column<ApiKey>[] {
  const text = integrationSay(c.get('language'));
  return [
    nameColumn(c),
    { label: text('endedBecause'), cell: (key) => endOf(c, key) ?? '' },
    { label: text('lastUse'), cell: (key) => lastUse(c, key) },
  ];
}

async function newKeyForm(
  c: ConsoleContext,
  form: Pick<ShownForm, 'state'> & Partial<ShownForm>,
  status?: ContentfulStatusCode,
): Promise<Response> {
  const text = integrationSay(c.get('language'));
  return formPage(
    c,
    {
      title: text('newKey'),
      action: `${path}/new`,
      back: path,
      button: text('createKey'),
      fields: await keyFields(c, form.state),
      ...form,
    },
    status,
  );
}

async function createKey(c: ConsoleContext): Promise<Response> {
  const session = requirePayingOwner(c);
  const received = await receive(c, fields);
  if ('again' in received) {
    const { status, ...form } = received.again;
    return newKeyForm(c, form, status);
  }
  const typed = received.send;
  const body = bodyOf(fields, typed, readingOf(c));
  try {
    const { id, token } = await once(() =>
      runAsUser(c.get('core'), session, 'api-keys.create', { body }, formKey(typed)),
    );
    const keys = await listApiKeysOf(c.get('core'), session.organization);
    return newKeyPage(c, { token, scopes: keys.find((key) => key.id === id)?.scopes ?? [] });
  } catch (error) {
    const { status: _, ...form } = refusedForm(c, fields, typed, error);
    return newKeyForm(c, form, 422);
  }
}

/** The key of the path, where it can be used. Raises NOT_FOUND. */
async function keyIn(c: ConsoleContext): Promise<ApiKey> {
  const { organization } = requireOwner(c);
  const id = idIn(c);
  const key = (await listApiKeysOf(c.get('core'), organization)).find((each) => each.id === id);
  if (!key) throw notFound();
  return key;
}

/** What AI assistants may do with a key: the one thing of it that changes. */
async function assistantsForm(c: ConsoleContext): Promise<EditForm> {
  const { id, name, assistant_access, assistant_tool_sets } = await keyIn(c);
  const [core, text, session] = [c.get('core'), integrationSay(c.get('language')), sessionOf(c)];
  return {
    title: text('assistantsOfKey', { name }),
    action: `${path}/${id}/edit`,
    back: `${path}/${id}`,
    fields: assistantFields,
    shown: { assistant_access, assistant_tool_sets },
    layout: (state) =>
      fieldsWith(c, state, { assistant_access: (field) => radiosMarkup(c, state, field, () => '') }),
    problemsOf: (body) => problemsForUser(core, session, 'api-keys.update', { path: { id }, body }),
    save: async (body) => {
      await runAsUser(core, session, 'api-keys.update', { path: { id }, body });
      return `${path}/${id}?done=saved`;
    },
  };
}

async function revokePage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const [core, text] = [c.get('core'), integrationSay(c.get('language'))];
  const key = await keyIn(c);
  const { id } = key;
  const hooks = (await listWebhooksWithHealth(core, organization)).filter(({ made_by: by }) => by?.id === id);
  return formPage(c, {
    title: text('revokeTitle', { name: key.name }),
    about: text('revokeAbout'),
    concerned: concernedHooks(c, hooks),
    action: `${path}/${id}/revoke`,
    back: path,
    button: text('revoke'),
    danger: true,
    state: beginningWith([]),
  });
}

/**
 * The form of a key. Its scopes are shown for whoever chooses them one by one, by the style sheet, so that this
 * needs no script; where some are ticked they are always shown, so that none counts unseen.
 */
async function keyFields(c: ConsoleContext, state: FormState): Promise<Markup> {
  const shown = await fieldsWith(c, state, {
    access: (field) => radiosMarkup(c, state, field, (value) => given(c, value)),
    scopes: async (field) => html`<div class="chosen-scopes">${await fieldsMarkup(c, state, [field])}</div>`,
    assistant_access: (field) => radiosMarkup(c, state, field, () => ''),
  });
  return html`<div class="key">${shown}</div>`;
}

const purposes: Readonly<Record<string, { readonly scopes: readonly Scope[] }>> = keyPurposes;

/** The scopes that a purpose gives, where its name does not say it. */
function given(c: ConsoleContext, purpose: string): Markup | string {
  const of = Object.hasOwn(purposes, purpose) ? purposes[purpose] : undefined;
  if (!of || of.scopes.length === allScopes.length) return '';
  const [language, text] = [c.get('language'), integrationSay(c.get('language'))];
  const reading = keyPurposes.reading.scopes;
  const readsAll = reading.every((scope) => of.scopes.includes(scope));
  const named = readsAll ? of.scopes.filter((scope) => !reading.includes(scope)) : of.scopes;
  return [
    ...(readsAll ? [text('seeEverything')] : []),
    ...named.map((scope) => scopes[scope][language]),
  ].join(', ');
}
