import { AddAssistant, type FieldFacts, fieldsOf, RegisterAssistant } from '@dealkeep/contract';
import { type ConnectableAssistant, listAssistants } from '@dealkeep/core/accounts';
import { notFound } from '@dealkeep/core/foundations';
import { runAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { requireOwner, requirePayingOwner } from '../auth/permitted.ts';
import { registerAssistantPath } from '../auth/unregistered-page.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { bodyOf } from '../forms/body.ts';
import { formPage, type ShownForm } from '../forms/form-page.ts';
import { receive } from '../forms/received.ts';
import { beginningWith, formKey, once, refusedForm } from '../forms/send.ts';
import { readingOf } from '../forms/typed.ts';
import { type Column, type Markup, table, unseen } from '../markup.ts';
import { copyable } from './copyable.ts';
import { integrationSay } from './texts.ts';

const apps = '/integrations/apps';
const removePath = `${apps}/remove`;
const addPath = `${apps}/add`;

/** Assistants that an owner registers for the organization, so that its people can connect them. */
export function registeredAssistantRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(registerAssistantPath, (c) => {
    requireOwner(c);
    const asked = c.req.query('metadata_url');
    const typed = new Map(asked === undefined ? [] : [['metadata_url', [asked]]]);
    return entryPage(c, registering, { state: beginningWith(registering.fields, typed) });
  });
  app.post(registerAssistantPath, (c) => enter(c, registering));
  app.get(addPath, (c) => {
    requireOwner(c);
    return entryPage(c, adding, { state: beginningWith(adding.fields) });
  });
  app.post(addPath, (c) => enter(c, adding));
  app.get(removePath, removePage);
  app.post(removePath, remove);
}

/** A way to let an assistant in: the form that asks for it, and the operation that does it. */
interface Entry {
  readonly action: string;
  readonly fields: readonly FieldFacts[];
  readonly operation: 'assistants.register' | 'assistants.add';
  readonly title: 'registerAssistant' | 'addAssistant';
  readonly about: 'registerAbout' | 'addAbout';
  readonly done: 'assistant_registered' | 'assistant_added';
  /** Leads to the other way. */
  readonly instead?: string;
}

/** By the document at its address. */
const registering: Entry = {
  action: registerAssistantPath,
  fields: fieldsOf(RegisterAssistant),
  operation: 'assistants.register',
  title: 'registerAssistant',
  about: 'registerAbout',
  done: 'assistant_registered',
  instead: addPath,
};

/** Without a document. */
const adding: Entry = {
  action: addPath,
  fields: fieldsOf(AddAssistant),
  operation: 'assistants.add',
  title: 'addAssistant',
  about: 'addAbout',
  done: 'assistant_added',
};

function entryPage(
  c: ConsoleContext,
  { action, title, about, instead }: Entry,
  form: Pick<ShownForm, 'state'> & Partial<ShownForm>,
  status?: ContentfulStatusCode,
): Promise<Response> {
  const text = integrationSay(c.get('language'));
  const usual = {
    title: text(title),
    about: text(about),
    concerned: html`${instead ? html`<p><a href="${instead}">${text('addInstead')}</a></p>` : ''}
<p class="quiet">${text('withSecret')} <code>npx dealkeep oauth-apps create</code></p>`,
    action,
    back: apps,
    button: text('registerButton'),
  };
  return formPage(c, { ...usual, ...form }, status);
}

async function enter(c: ConsoleContext, entry: Entry): Promise<Response> {
  const session = requirePayingOwner(c);
  const { fields, operation, done } = entry;
  const received = await receive(c, fields);
  if ('again' in received) {
    const { status, ...form } = received.again;
    return entryPage(c, entry, form, status);
  }
  const typed = received.send;
  const body = bodyOf(fields, typed, readingOf(c));
  try {
    await once(() => runAsUser(c.get('core'), session, operation, { body }, formKey(typed)));
    return c.redirect(`${apps}?done=${done}`, 303);
  } catch (error) {
    const { status: _, ...form } = refusedForm(c, fields, typed, error);
    return entryPage(c, entry, form, 422);
  }
}

/**
 * The assistant that the address of the page names. Raises NOT_FOUND for one that the organization did not register.
 */
async function namedAssistant(c: ConsoleContext): Promise<ConnectableAssistant> {
  const { organization } = requireOwner(c);
  const named = c.req.query('client_id');
  const assistants = await listAssistants(c.get('core').sql, organization.id);
  const assistant = assistants.find(({ client_id: id, registered }) => id === named && registered);
  if (!assistant) throw notFound();
  return assistant;
}

const removeAddress = (clientId: string): string =>
  `${removePath}?${new URLSearchParams({ client_id: clientId })}`;

async function removePage(c: ConsoleContext): Promise<Response> {
  const { client_id: clientId, name } = await namedAssistant(c);
  const text = integrationSay(c.get('language'));
  return formPage(c, {
    title: text('removeAssistantTitle', { name }),
    about: text('removeAssistantAbout'),
    action: removeAddress(clientId),
    back: apps,
    button: text('remove'),
    danger: true,
    state: beginningWith([]),
  });
}

async function remove(c: ConsoleContext): Promise<Response> {
  const { client_id } = await namedAssistant(c);
  await runAsUser(c.get('core'), sessionOf(c), 'assistants.remove', { body: { client_id } });
  return c.redirect(`${apps}?done=assistant_removed`, 303);
}

/** What can be connected without a secret; empty where nothing is registered. */
export async function registeredAssistants(c: ConsoleContext): Promise<Markup> {
  const { organization } = sessionOf(c);
  const assistants = await listAssistants(c.get('core').sql, organization.id);
  if (assistants.length === 0) return html``;
  const text = integrationSay(c.get('language'));
  return html`<h2>${text('assistantsOpen')}</h2>${table(columns(c), assistants)}`;
}

function columns(c: ConsoleContext): Column<ConnectableAssistant>[] {
  const text = integrationSay(c.get('language'));
  const isOwner = sessionOf(c).user.permissions === 'owner';
  const steps: Column<ConnectableAssistant> = {
    label: text('actions'),
    holds: 'steps',
    cell: ({ client_id: id, name, registered }) =>
      registered ? html`<a href="${removeAddress(id)}">${text('remove')}${unseen(` (${name})`)}</a>` : '',
  };
  return [
    { label: text('assistant'), cell: ({ name }) => name },
    {
      label: text('clientId'),
      cell: ({ client_id: id, name }) => copyable(c, { id, name, code: id }),
    },
    {
      label: text('comesBackTo'),
      cell: ({ redirect_uris: addresses }) =>
        html`${addresses.map((address) => html`<code>${address}</code> `)}`,
    },
    {
      label: text('registeredBy'),
      cell: ({ registered, everywhere }) =>
        [registered?.by, everywhere ? text('theOperator') : undefined].filter(Boolean).join(', '),
    },
    ...(isOwner ? [steps] : []),
  ];
}
