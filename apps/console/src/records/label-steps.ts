import { EditContactAddresses, fieldsOf, text } from '@dealkeep/contract';
import {
  type CompanyLabels,
  type ContactAddresses,
  editCompanyLabels,
  editContactAddresses,
  editLeadTags,
  labelProblems,
  readingOf,
} from '@dealkeep/core';
import { byContract } from '../forms/judge.ts';
import { consoleStep } from './console-step.ts';
import { companyLabelFields, tagFields } from './label-fields.ts';

const tellsWebhooks = text(
  'Webhooks are told of the change like of any other.',
  'Webhooky sa o zmene dozvedia ako o každej inej.',
);

/** What only the console edits of a company (rule companies 8). */
export const companyLabels = consoleStep(
  {
    name: 'labels',
    label: text('Tags and custom fields', 'Štítky a vlastné polia'),
    about: tellsWebhooks,
    asks: true,
    fields: companyLabelFields,
    begins: ({ tags, custom_fields }) => ({ tags, custom_fields }),
  },
  {
    resource: 'company',
    permission: 'companies.edit',
    problemsOf: (core, { id }, body) =>
      labelProblems({ organization: id, ...readingOf(core, id) }, body as CompanyLabels),
    work: (core, organization, id, { body, version }) =>
      // The verb checks what the form says.
      editCompanyLabels(core, organization, { id, ...(body as CompanyLabels) }, version),
  },
);

/** What only the console edits of a contact (rule contacts 3). */
export const contactAddresses = consoleStep(
  {
    name: 'addresses',
    label: text('Further e-mails and phones', 'Ďalšie e-maily a telefóny'),
    about: text('Those besides the first ones.', 'Tie, ktoré sú popri prvých.'),
    asks: true,
    fields: fieldsOf(EditContactAddresses),
    begins: ({ email, emails, phone, phones }) => ({
      further_emails: Array.isArray(emails) ? emails.slice(email === null ? 0 : 1) : [],
      further_phones: Array.isArray(phones) ? phones.slice(phone === null ? 0 : 1) : [],
    }),
  },
  {
    resource: 'contact',
    permission: 'companies.edit',
    problemsOf: (_, __, body) => byContract(EditContactAddresses)(undefined, body),
    work: (core, organization, id, { body, version }) =>
      // The verb checks by the contract what the form says.
      editContactAddresses(core, organization, { id, ...(body as ContactAddresses) }, version),
  },
);

/** The tags of a lead. */
export const leadTags = consoleStep(
  {
    name: 'tags',
    label: text('Tags', 'Štítky'),
    about: tellsWebhooks,
    asks: true,
    fields: tagFields,
    begins: ({ tags }) => ({ tags }),
  },
  {
    resource: 'lead',
    permission: 'leads.edit',
    problemsOf: (core, { id }, body) =>
      labelProblems({ organization: id, ...readingOf(core, id) }, body as CompanyLabels),
    work: (core, organization, id, { body, version }) =>
      // Without a tag to choose from, the form says nothing of them.
      editLeadTags(core, organization, { id, tags: [], ...(body as { tags?: string[] }) }, version),
  },
);
