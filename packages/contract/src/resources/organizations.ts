import * as field from '../scalars.ts';
import { body } from '../shapes.ts';
import { text } from '../text.ts';

/** What the owners of an organization change of it; an absent field stays. */
export const UpdateOrganization = body(
  'OrganizationUpdate',
  { label: text('Organization', 'Organizácia') },
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
  },
);
