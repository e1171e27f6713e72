import * as z from 'zod';
import { ownerOperation } from '../operation.ts';
import * as field from '../scalars.ts';
import { address, body, exampleRef, idOf, record } from '../shapes.ts';
import { text } from '../text.ts';
import { assistantAccessField, assistantToolSetsField } from './assistants.ts';
import { registrationId, taxId, vatId } from './companies.ts';

const makesTags = field.boolean({
  label: text('New tags', 'Nové štítky'),
  help: text(
    'A program that gives a record a tag which does not exist makes the tag. Otherwise such a tag is refused.',
    'Program, ktorý dá záznamu neexistujúci štítok, ho tým vytvorí. Inak sa taký štítok odmietne.',
  ),
  example: true,
});

const assistantAccess = assistantAccessField(
  text(
    'What Claude, ChatGPT and others may do here, whoever connects them. It counts at once.',
    'Čo tu smú Claude, ChatGPT a ďalší, nech ich pripojí ktokoľvek. Platí hneď.',
  ),
);

const supplier = {
  ...address.shape,
  registration_id: registrationId.nullable(),
  tax_id: taxId.nullable(),
  vat_id: vatId.nullable(),
  bank_account: field
    .string({
      label: text('Bank Account', 'Bankový účet'),
      help: text(
        'Where invoices are paid: an IBAN, where there is one.',
        'Kam sa platia faktúry: IBAN, ak existuje.',
      ),
      example: 'SK31 1200 0000 1987 4263 7541',
      max: 50,
    })
    .nullable(),
};

/** What invoices and quotes print of the organization, besides its name and its country. */
export const supplierFields = Object.keys(supplier) as (keyof typeof supplier)[];

export const organizationLabel = text('Organization', 'Organizácia');

/** The business itself, as far as its owners change it. */
export const Organization = record(
  'Organization',
  { label: organizationLabel },
  {
    id: idOf(exampleRef.organization),
    name: field.name({ label: text('Name', 'Názov'), example: exampleRef.organization.name, max: 255 }),
    country_code: field.countryCode({ label: text('Country', 'Krajina'), example: 'SK' }),
    currency: field.currency({ label: text('Currency', 'Mena'), example: 'EUR' }),
    time_zone: field.timeZone({ label: text('Time zone', 'Časové pásmo'), example: 'Europe/Bratislava' }),
    ...supplier,
    makes_tags: makesTags,
    assistant_access: assistantAccess,
    assistant_tool_sets: assistantToolSetsField,
  },
);

/** What the owners of an organization change of it; an absent field stays. */
export const UpdateOrganization = body(
  'OrganizationUpdate',
  { label: organizationLabel },
  {
    name: field.name({ label: text('Name', 'Názov'), example: 'Tatra Studio', max: 255 }).optional(),
    country_code: field
      .countryCode({
        label: text('Country', 'Krajina'),
        help: text('Of new companies that name none.', 'Nových firiem, ktoré ju nemajú uvedenú.'),
        example: 'SK',
      })
      .optional(),
    currency: field
      .currencyInAnyCase({
        label: text('Currency', 'Mena'),
        help: text(
          'Three letters. Of new records that name none; those that exist keep theirs.',
          'Tri písmená. Nových záznamov, ktoré ju nemajú uvedenú; existujúcim zostáva ich mena.',
        ),
        example: 'EUR',
      })
      .optional(),
    time_zone: field
      .timeZone({
        label: text('Time zone', 'Časové pásmo'),
        help: text(
          'Type a city to search. It decides what “today” is, and in which time moments are shown here.',
          'Hľadajte napísaním mesta. Určuje, čo je „dnes“ a v akom čase sa tu zobrazujú okamihy.',
        ),
        example: 'Europe/Bratislava',
      })
      .optional(),
    ...z.object(supplier).partial().shape,
    makes_tags: makesTags.optional(),
    assistant_access: assistantAccess.optional(),
    assistant_tool_sets: assistantToolSetsField.optional(),
  },
);

export const organizationOwnerOperations = {
  'organizations.update': ownerOperation({
    id: 'organizations.update',
    resource: 'organization',
    kind: 'update',
    method: 'POST',
    path: '/settings/organization/edit',
    body: UpdateOrganization,
    shape: 'nothing',
    errors: [],
    withoutSubscription: true,
    title: text('Change the facts of the organization', 'Zmeniť údaje organizácie'),
    about: text(
      'Currency and time zone count from the next request on; records that exist keep theirs.',
      'Mena a časové pásmo platia od ďalšej požiadavky; existujúce záznamy si nechávajú svoje.',
    ),
  }),
};
