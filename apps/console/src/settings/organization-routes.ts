import { type FieldFacts, fieldsOf, UpdateOrganization } from '@dealkeep/contract';
import {
  editOrganization,
  getOrganization,
  type OrganizationUse,
  organizationProblems,
} from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { requireOwner } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { page } from '../frame/page.ts';
import { bar, card, type Fact, factList, linkButton } from '../markup.ts';
import { choiceLabel } from '../values/field-words.ts';
import { type EditForm, editPage, saveEdit } from './edit-form.ts';
import { doneNotice, settingsSay } from './texts.ts';

const path = '/settings/organization';
const fields: readonly FieldFacts[] = fieldsOf(UpdateOrganization).map((field) => ({
  ...field,
  required: true,
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
    [text('slug'), html`<code>${shown.slug}</code>`],
    [text('environment'), text(c.get('core').environment)],
    [text('subscription'), text(shown.subscription)],
    [text('keys'), text('usedOf', { used: keys, max: max_keys })],
    [text('webhooks'), text('usedOf', { used: webhooks, max: max_webhooks })],
  ];
}

async function editForm(c: ConsoleContext): Promise<EditForm> {
  const { organization } = requireOwner(c);
  const [core, text] = [c.get('core'), settingsSay(c.get('language'))];
  const { name, country_code, currency, time_zone } = await getOrganization(core, organization);
  return {
    title: text('editOrganization'),
    about: text('organizationAbout'),
    action: `${path}/edit`,
    back: path,
    fields,
    shown: { name, country_code, currency, time_zone },
    problemsOf: (changes) => organizationProblems(core, changes),
    save: async (changes) => {
      await editOrganization(core, organization, changes);
      return `${path}?done=saved`;
    },
  };
}
