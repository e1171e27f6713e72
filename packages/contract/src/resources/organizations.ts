import { ownerOperation } from '../operation.ts';
import * as field from '../scalars.ts';
import { body, exampleRef, idOf, record } from '../shapes.ts';
import { text } from '../text.ts';
import { assistantAccessField, assistantToolSetsField } from './assistants.ts';

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
