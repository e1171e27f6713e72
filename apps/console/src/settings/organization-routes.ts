import { type FieldFacts, fieldsOf, supplierFields, UpdateOrganization } from '@dealkeep/contract';
import { getOrganization, type OrganizationUse } from '@dealkeep/core/accounts';
import { assistantReach, bytesOfMb } from '@dealkeep/core/identity';
import { problemsForUser, runAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { requireOwner } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { radiosMarkup } from '../forms/choice-controls.ts';
import { type EditForm, editPage, saveEdit } from '../forms/edit-form.ts';
import { sectionsMarkup } from '../forms/form-sections.ts';
import { fieldsWith } from '../forms/own-controls.ts';
import { page } from '../frame/page.ts';
import { bar, card, type Fact, factList, linkButton, type Markup, quiet } from '../markup.ts';
import { assistantReachWords } from '../values/assistant-reach.ts';
import { choiceLabel, fieldLabel } from '../values/field-words.ts';
import { numberFormat } from '../values/formats.ts';
import { storageNotice } from '../values/storage-notice.ts';
import { doneNotice, onDocuments, settingsSay } from './texts.ts';

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
${doneNotice(c)}${storageNotice(c)}
${card(text('facts'), factList(facts(c, shown)))}
<section class="card"><h2>${text('onDocuments')}</h2>${documentFacts(c, shown)}</section>
<p class="quiet">${isOwner ? '' : `${text('ownersEdit')} `}${text('fixed')}</p>`;
  return page(c, { title: text('organization'), content });
}

/** What an organization takes of what it may, in whole megabytes. */
function storageWords(
  c: ConsoleContext,
  { storage_bytes: bytes, storage_quota_mb: max }: OrganizationUse,
): string {
  const [language, text] = [c.get('language'), settingsSay(c.get('language'))];
  if (bytes === null) return text('notMeasured');
  const shown = numberFormat(language, {});
  const used = shown.format(Math.ceil(bytes / bytesOfMb));
  return max === null
    ? text('storageUsed', { used })
    : text('storageUsedOf', { used, max: shown.format(max) });
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
    [text('storage'), storageWords(c, shown)],
  ];
}

const isOnDocuments = ({ name }: FieldFacts): boolean => supplierFields.some((each) => each === name);

/** What invoices and quotes print of it, or that there is nothing yet. */
function documentFacts(c: ConsoleContext, shown: OrganizationUse): Markup {
  const text = settingsSay(c.get('language'));
  const values = new Map(supplierFields.map((name) => [String(name), shown[name]]));
  const filled = fields.flatMap((field): Fact[] => {
    const value = values.get(field.name);
    return value ? [[fieldLabel(c.get('language'), field), value]] : [];
  });
  return filled.length > 0 ? factList(filled) : quiet(text('nothingOnDocuments'));
}

async function editForm(c: ConsoleContext): Promise<EditForm> {
  const session = requireOwner(c);
  const [core, text] = [c.get('core'), settingsSay(c.get('language'))];
  const now = await getOrganization(core, session.organization);
  return {
    title: text('editOrganization'),
    about: text('organizationAbout'),
    action: `${path}/edit`,
    back: path,
    fields,
    shown: Object.fromEntries(fields.map(({ name }) => [name, Reflect.get(now, name)])),
    async layout(state) {
      const access = (field: FieldFacts): Markup => radiosMarkup(c, state, field, () => '');
      const business = { ...state, fields: state.fields.filter((field) => !isOnDocuments(field)) };
      const documents = {
        heading: onDocuments,
        fields: state.fields.filter(isOnDocuments),
      };
      return html`${await fieldsWith(c, business, { assistant_access: access })}
${await sectionsMarkup(c, state, [documents])}`;
    },
    problemsOf: (body) => problemsForUser(core, session, 'organizations.update', { body }),
    save: async (body) => {
      await runAsUser(core, session, 'organizations.update', { body });
      return `${path}?done=saved`;
    },
  };
}
