import * as field from '../scalars.ts';
import { scopes } from '../scopes.ts';
import { body } from '../shapes.ts';
import { text } from '../text.ts';

const scopesText = text('Scopes', 'Oprávnenia');

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
      label: text('Access', 'Prístup'),
      choices: {
        automation: text('Automation: every scope', 'Automatizácia: všetky oprávnenia'),
        chosen: text('Only the scopes chosen below', 'Iba oprávnenia vybrané nižšie'),
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
