import * as z from 'zod';
import { describe } from '../field.ts';
import { operation } from '../operation.ts';
import * as field from '../scalars.ts';
import { exampleRef, record } from '../shapes.ts';
import { text } from '../text.ts';

const named = (en: string, sk: string, example: string) =>
  describe(z.string(), { label: text(en, sk), example });
const idOf = (en: string, sk: string, { id }: { readonly id: string }) =>
  describe(z.uuid(), { label: text(en, sk), example: id });

export const Me = record(
  'Me',
  { label: text('Connection', 'Pripojenie') },
  {
    organization: describe(
      z.object({
        id: idOf('Organization ID', 'Organizácia – ID', exampleRef.organization),
        name: named('Organization Name', 'Organizácia – názov', exampleRef.organization.name),
        slug: named('Organization Slug', 'Organizácia – skratka', 'tatra-studio'),
        currency: named('Currency', 'Mena', 'EUR'),
        time_zone: named('Time Zone', 'Časové pásmo', 'Europe/Bratislava'),
        country_code: named('Country', 'Krajina', 'SK'),
      }),
      { label: text('Organization', 'Organizácia') },
    ),
    token: describe(
      z.object({
        id: idOf('Token ID', 'Kľúč – ID', exampleRef.key),
        name: named('Token Name', 'Kľúč – názov', exampleRef.key.name),
        scopes: field.list(named('Scope', 'Oprávnenie', 'leads:read'), {
          label: text('Token Scopes', 'Kľúč – oprávnenia'),
        }),
        expires_at: field
          .dateTime({ label: text('Token Expires At', 'Kľúč vyprší'), example: '2027-10-01T00:00:00.000Z' })
          .nullable(),
      }),
      { label: text('Token', 'Kľúč') },
    ),
    api_version: named('API Version', 'Verzia API', '2026-10-01'),
    limits: describe(
      z.object({
        requests_per_minute: field.integer({
          label: text('Requests per Minute', 'Požiadaviek za minútu'),
          example: 120,
        }),
        org_requests_per_minute: field.integer({
          label: text('Requests per Minute of the Organization', 'Požiadaviek organizácie za minútu'),
          example: 600,
        }),
      }),
      { label: text('Limits', 'Limity') },
    ),
    auth: describe(z.enum(['api_key', 'oauth']), {
      label: text('Authentication', 'Prihlásenie'),
      example: 'api_key',
    }),
    user: describe(
      z.object({
        id: idOf('User ID', 'Používateľ – ID', exampleRef.user),
        name: named('User Name', 'Používateľ – meno', exampleRef.user.name),
        email: named('User Email', 'Používateľ – e-mail', 'jana@dealkeep.example'),
      }),
      {
        label: text('User', 'Používateľ'),
        help: text('Only for an OAuth connection.', 'Len pri pripojení OAuth.'),
      },
    ).optional(),
  },
);

export const meOperations = {
  'me.get': operation({
    id: 'me.get',
    resource: 'me',
    kind: 'get',
    method: 'GET',
    path: '/me',
    scope: null,
    answer: Me,
    shape: 'record',
    statuses: [200],
    errors: [],
    title: text('Get the connection', 'Zobraziť pripojenie'),
    about: text(
      'Whose data this credential reaches, and its limits.',
      'K údajom ktorej organizácie vedie a aké má limity.',
    ),
    instruction: 'Retrieve the connection: the organization, the person or key, its scopes and limits.',
  }),
};
