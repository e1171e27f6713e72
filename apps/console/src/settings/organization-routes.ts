import { type FieldFacts, fieldsOf, UpdateOrganization } from '@dealkeep/contract';
import {
  assistantReach,
  getOrganization,
  type OrganizationUse,
  problemsForUser,
  runAsUser,
} from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { requireOwner } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { radiosMarkup } from '../forms/choice-controls.ts';
import { type EditForm, editPage, saveEdit } from '../forms/edit-form.ts';
import { fieldsWith } from '../forms/own-controls.ts';
import { page } from '../frame/page.ts';
import { bar, card, type Fact, factList, linkButton } from '../markup.ts';
import { assistantReachWords } from '../values/assistant-reach.ts';
import { choiceLabel } from '../values/field-words.ts';
import { doneNotice, settingsSay } from './texts.ts';

const path = '/settings/organization';
const fields: readonly FieldFacts[] = fieldsOf(UpdateOrganization).map((field) => ({
  ...field,
  // A form shows each of them, and only what can be empty may be left empty.
  required: !field.nullable,
}));

/** The business itself: everybody reads, owners change. */
export function organizationRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(path, organizationPage);
  app.get(`${path}/edit`, async (c) => editPage(c, await editForm(c)));
  app.post(`${path}/edit`, async (c) => saveEdit(c, await editForm(c)));
}

async function organizationPage(c: ConsoleContext): Promise<Response> {
  const { user, organization } = sessionOf(c);
  const text = settingsSay(c.get('language'));
  const shown = await getOrganization(c.get('core'), organization);
  const isOwner = user.permissions === 'owner';
  const content = html`${bar(text('organization'), isOwner ? linkButton(`${path}/edit`, text('edit')) : '')}
${doneNotice(c)}
${card(text('facts'), factList(facts(c, shown)))}
<p class="quiet">${isOwner ? '' : `${text('ownersEdit')} `}${text('fixed')}</p>`;
  return page(c, { title: text('organization'), content });
}

function facts(c: ConsoleContext, shown: OrganizationUse): Fact[] {
  const text = settingsSay(c.get('language'));
  const named = (name: 'country_code' | 'currency'): string => {
    const field = fields.find((each) => each.name === name);
    return field ? choiceLabel(c, field, shown[name]) : shown[name];
  };
  const { keys, webhooks, max_keys, max_webhooks } = shown;
  return [
    [text('name'), shown.name],
    [text('country'), named('country_code')],
    [text('currency'), `${shown.currency} – ${named('currency')}`],
    [text('timeZone'), shown.time_zone],
    [text('newTags'), text(shown.makes_tags ? 'madeByPrograms' : 'notMadeByPrograms')],
    [text('assistants'), assistantReachWords(c, assistantReach(shown))],
    [text('slug'), html`<code>${shown.slug}</code>`],
    [text('environment'), text(c.get('core').environment)],
    [text('subscription'), text(shown.subscription)],
    [text('keys'), text('usedOf', { used: keys, max: max_keys })],
    [text('webhooks'), text('usedOf', { used: webhooks, max: max_webhooks })],
  ];
}

async function editForm(c: ConsoleContext): Promise<EditForm> {
  const session = requireOwner(c);
  const [core, text] = [c.get('core'), settingsSay(c.get('language'))];
  const now = await getOrganization(core, session.organization);
  const { name, country_code, currency, time_zone, makes_tags } = now;
  const { assistant_access, assistant_tool_sets } = now;
  return {
    title: text('editOrganization'),
    about: text('organizationAbout'),
    action: `${path}/edit`,
    back: path,
    fields,
    shown: { name, country_code, currency, time_zone, makes_tags, assistant_access, assistant_tool_sets },
    layout: (state) =>
      fieldsWith(c, state, { assistant_access: (field) => radiosMarkup(c, state, field, () => '') }),
    problemsOf: (body) => problemsForUser(core, session, 'organizations.update', { body }),
    save: async (body) => {
      await runAsUser(core, session, 'organizations.update', { body });
      return `${path}?done=saved`;
    },
  };
}
