import {
  allScopes,
  CreateApiKey,
  type FieldFacts,
  fieldsOf,
  keyPurposes,
  type Scope,
  scopes,
} from '@dealkeep/contract';
import {
  type ApiKey,
  createApiKeyOf,
  listApiKeysOf,
  listWebhooksWithHealth,
  notFound,
  revokeApiKeyOf,
} from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { idIn, requireOwner, requirePayingOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { bodyOf } from '../forms/body.ts';
import { type FormState, fieldsMarkup, radiosMarkup } from '../forms/field-markup.ts';
import { formPage, type ShownForm, secretPage } from '../forms/form-page.ts';
import { receive } from '../forms/received.ts';
import { beginningWith, once, onceBy, refusedForm } from '../forms/send.ts';
import { readingOf } from '../forms/typed.ts';
import { page } from '../frame/page.ts';
import {
  badge,
  bar,
  type Column,
  choices,
  emptyState,
  linkButton,
  type Markup,
  quiet,
  table,
  unseen,
} from '../markup.ts';
import { momentOf } from '../values/shown-value.ts';
import { concernedHooks, lastUse, scopeList } from './credentials.ts';
import { doneNotice, integrationSay } from './texts.ts';

const path = '/integrations/keys';
const fields = fieldsOf(CreateApiKey);

/** API keys: what there is, a new one, and the end of one. */
export function keyRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(path, keysPage);
  app.get(`${path}/new`, (c) => {
    requireOwner(c);
    const asked = c.req.query('access');
    const typed = new Map(asked === undefined ? [] : [['access', [asked]]]);
    return newKeyPage(c, { state: beginningWith(fields, typed) });
  });
  app.post(`${path}/new`, createKey);
  app.get(`${path}/:id/revoke`, revokePage);
  app.post(`${path}/:id/revoke`, async (c) => {
    const { organization } = requireOwner(c);
    await revokeApiKeyOf(c.get('core'), organization, { id: idIn(c) });
    return c.redirect(`${path}?done=revoked`, 303);
  });
}

async function keysPage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const text = integrationSay(c.get('language'));
  const keys = await listApiKeysOf(c.get('core'), organization);
  const create = linkButton(`${path}/new`, text('newKey'));
  const content = html`${bar(text('keys'), choices(create))}
${doneNotice(c)}
${
  keys.length === 0
    ? emptyState(text('keysTeach'), { title: text('noKeys'), steps: create })
    : table(columns(c), keys)
}`;
  return page(c, { title: text('keys'), content });
}

function columns(c: ConsoleContext): Column<ApiKey>[] {
  const text = integrationSay(c.get('language'));
  const hasAll = (key: ApiKey): boolean =>
    Object.keys(scopes).every((scope) => key.scopes.some((each) => each === scope));
  return [
    {
      label: text('name'),
      cell: ({ name, legacy }) => html`${name}${legacy ? html` ${badge(text('legacy'))}` : ''}`,
    },
    { label: text('owner'), cell: ({ owner }) => owner },
    {
      label: text('access'),
      cell: (key) => (hasAll(key) ? text('everyScope') : scopeList(c, key.scopes)),
    },
    { label: text('lastUse'), cell: (key) => lastUse(c, key) },
    {
      label: text('expiry'),
      cell: ({ expires_at: end }) => (end ? momentOf(c, end) : quiet(text('noExpiry'))),
    },
    {
      label: text('actions'),
      holds: 'steps',
      cell: ({ id, name }) =>
        html`<a href="${path}/${id}/revoke">${text('revoke')}${unseen(` (${name})`)}</a>`,
    },
  ];
}

async function newKeyPage(
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
  const { user, organization } = requirePayingOwner(c);
  const received = await receive(c, fields);
  if ('again' in received) {
    const { status, ...form } = received.again;
    return newKeyPage(c, form, status);
  }
  const typed = received.send;
  const body = bodyOf(fields, typed, readingOf(c));
  const text = integrationSay(c.get('language'));
  try {
    const key = { user: user.id, ...body } as Parameters<typeof createApiKeyOf>[2];
    const { token } = await once(() =>
      createApiKeyOf(c.get('core'), organization, key, onceBy(user.id, typed)),
    );
    return secretPage(c, { title: text('keyMade'), about: text('yourKey'), secret: token, back: path });
  } catch (error) {
    const { status: _, ...form } = refusedForm(c, fields, typed, error);
    return newKeyPage(c, form, 422);
  }
}

async function revokePage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const [core, text, id] = [c.get('core'), integrationSay(c.get('language')), idIn(c)];
  const key = (await listApiKeysOf(core, organization)).find((each) => each.id === id);
  if (!key) throw notFound();
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
 * The form of a key. Its scopes are shown for whoever chooses them one by one, by the style sheet, so that this needs no
 * script; where some are ticked they are always shown, so that none counts unseen.
 */
async function keyFields(c: ConsoleContext, state: FormState): Promise<Markup> {
  const shown: Markup[] = [];
  for (const field of state.fields) {
    if (field.name === 'access') shown.push(radiosMarkup(c, state, field, (value) => given(c, value)));
    else if (field.name === 'scopes')
      shown.push(html`<div class="chosen-scopes">${await one(c, state, field)}</div>`);
    else shown.push(html`${await one(c, state, field)}`);
  }
  return html`<div class="key">${shown}</div>`;
}

const one = (c: ConsoleContext, state: FormState, field: FieldFacts): Promise<Markup[]> =>
  fieldsMarkup(c, state, [field]);

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
