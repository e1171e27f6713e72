import * as z from 'zod';
import { ownerOperation } from '../operation.ts';
import * as field from '../scalars.ts';
import { allScopes, type Scope, scopes } from '../scopes.ts';
import { body, createdAt, exampleRef, idOf, record } from '../shapes.ts';
import { type Text, text } from '../text.ts';
import { assistantAccessField, assistantToolSetsField } from './assistants.ts';

export const apiKeyLabel = text('API Key', 'API kľúč');

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
      'Automation with Zapier, n8n or Activepieces: every scope',
      'Automatizácia cez Zapier, n8n alebo Activepieces: všetky oprávnenia',
    ),
    scopes: allScopes,
  },
} as const satisfies Record<string, { label: Text; scopes: readonly Scope[] }>;

const expires = { label: text('Expires', 'Platí do'), example: '2027-01-31T00:00:00.000Z' };

const assistantAccess = assistantAccessField(
  text(
    'What an assistant that uses this key may do, as far as its scopes and the organization let it. Other programs go on as before.',
    'Čo smie asistent, ktorý tento kľúč používa, pokiaľ to dovolia oprávnenia kľúča a organizácia. Pre iné programy sa nič nemení.',
  ),
);

/** An API key as the console shows it, never with its token. */
export const ApiKey = record(
  'ApiKey',
  { label: apiKeyLabel },
  {
    id: idOf(exampleRef.key),
    name: field.name({ label: text('Name', 'Názov'), example: exampleRef.key.name, max: 255 }),
    scopes: field.list(field.choice({ label: scopesText, choices: scopes }), {
      label: scopesText,
      example: ['leads:write'],
    }),
    expires_at: field.dateTime(expires).nullable(),
    assistant_access: assistantAccess,
    assistant_tool_sets: assistantToolSetsField,
    created_at: createdAt,
  },
);

/** An API key, as the console makes it. */
export const CreateApiKey = body(
  'ApiKeyCreate',
  { label: apiKeyLabel },
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
        ...expires,
        help: text(
          'Left empty, the key lasts until it is revoked.',
          'Ak je prázdne, kľúč platí, kým ho nezrušíte.',
        ),
      })
      .nullish(),
    assistant_access: assistantAccess.optional(),
    assistant_tool_sets: assistantToolSetsField.optional(),
  },
);

/** What can be changed of an API key: what AI assistants may do with it, and nothing of what programs may. */
export const UpdateApiKey = body(
  'ApiKeyUpdate',
  { label: apiKeyLabel },
  {
    assistant_access: assistantAccess.optional(),
    assistant_tool_sets: assistantToolSetsField.optional(),
  },
);

const byOwners = { resource: 'key', method: 'POST' } as const;

export const apiKeyOwnerOperations = {
  'api-keys.create': ownerOperation({
    ...byOwners,
    id: 'api-keys.create',
    kind: 'create',
    path: '/integrations/keys/new',
    body: CreateApiKey,
    answer: z.object({
      id: field.uuid({ label: text('ID', 'ID') }),
      token: field.string({
        label: apiKeyLabel,
        help: text('Shown only in this answer.', 'Zobrazí sa iba v tejto odpovedi.'),
        secret: true,
      }),
    }),
    shape: 'bare',
    errors: ['LIMIT_EXCEEDED'],
    noStore: true,
    title: text('Make an API key of one’s own', 'Vytvoriť vlastný API kľúč'),
    about: text(
      'It belongs to whoever makes it, and may do what its purpose says.',
      'Patrí tomu, kto ho vytvorí, a smie to, čo hovorí jeho účel.',
    ),
  }),
  'api-keys.update': ownerOperation({
    ...byOwners,
    id: 'api-keys.update',
    kind: 'update',
    path: '/integrations/keys/{id}/edit',
    body: UpdateApiKey,
    shape: 'nothing',
    errors: [],
    title: text('Change what assistants may do with an API key', 'Zmeniť, čo smú s API kľúčom asistenti'),
    about: text(
      'It counts for the next request. The name, the owner and the scopes of a key never change.',
      'Platí od ďalšej požiadavky. Názov, vlastník a oprávnenia kľúča sa nikdy nemenia.',
    ),
  }),
  'api-keys.revoke': ownerOperation({
    ...byOwners,
    id: 'api-keys.revoke',
    kind: 'delete',
    path: '/integrations/keys/{id}/revoke',
    withoutSubscription: true,
    shape: 'nothing',
    errors: [],
    title: text('End an API key for good', 'Natrvalo zrušiť API kľúč'),
    about: text(
      'Its REST hooks go with it. Once this is answered, no process takes it any more.',
      'Jeho REST hooky zanikajú s ním. Po odpovedi ho už žiadny proces neprijme.',
    ),
    destructive: true,
  }),
};
