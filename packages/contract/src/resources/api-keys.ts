import * as field from '../scalars.ts';
import { allScopes, type Scope, scopes } from '../scopes.ts';
import { body } from '../shapes.ts';
import { type Text, text } from '../text.ts';

const scopesText = text('Scopes', 'Oprávnenia');

const allReading = allScopes.filter((scope) => scope.endsWith(':read'));

/** What a key can be for, and the fewest scopes that this needs. */
export const keyPurposes = {
  leads: {
    label: text(
      'Taking in leads, as from a web form',
      'Prijímanie príležitostí, napríklad z webového formulára',
    ),
    scopes: ['leads:write'],
  },
  reading: {
    label: text('Reading only: reports, backups', 'Iba čítanie: prehľady, zálohy'),
    scopes: allReading,
  },
  listening: {
    label: text(
      'Telling other programs what happens, and changing nothing',
      'Oznamovanie udalostí iným programom bez zmien',
    ),
    scopes: [...allReading, 'webhooks:manage'],
  },
  automation: {
    label: text(
      'Automation with Zapier or n8n: every scope',
      'Automatizácia cez Zapier alebo n8n: všetky oprávnenia',
    ),
    scopes: allScopes,
  },
} as const satisfies Record<string, { label: Text; scopes: readonly Scope[] }>;

/** An API key, as the console makes it. */
export const CreateApiKey = body(
  'ApiKeyCreate',
  { label: text('API Key', 'API kľúč') },
  {
    name: field.name({
      label: text('Name', 'Názov'),
      help: text('What the key is for.', 'Na čo kľúč slúži.'),
      example: 'Zapier',
      max: 255,
    }),
    access: field.choice({
      label: text('What is it for?', 'Na čo bude slúžiť?'),
      choices: {
        leads: keyPurposes.leads.label,
        reading: keyPurposes.reading.label,
        listening: keyPurposes.listening.label,
        automation: keyPurposes.automation.label,
        chosen: text('Something else: choose its scopes', 'Niečo iné: vybrať oprávnenia'),
      },
    }),
    scopes: field
      .list(field.choice({ label: scopesText, choices: scopes }), {
        label: scopesText,
        choices: scopes,
        max: Object.keys(scopes).length,
      })
      .optional(),
    expires_at: field
      .dateTime({
        label: text('Expires', 'Platí do'),
        help: text(
          'Left empty, the key lasts until it is revoked.',
          'Ak je prázdne, kľúč platí, kým ho nezrušíte.',
        ),
        example: '2027-01-31T00:00:00.000Z',
      })
      .nullish(),
  },
);
