import * as z from 'zod';
import { eventFilters } from '../event-filters.ts';
import { describe, forPrograms } from '../field.ts';
import { limits } from '../limits.ts';
import { wholeListQuery } from '../list-query.ts';
import { operation } from '../operation.ts';
import { eventTypeCount } from '../records.ts';
import * as field from '../scalars.ts';
import { body, createdAt, exampleRef, idOf, record } from '../shapes.ts';
import { text } from '../text.ts';

const targetText = text('Target URL', 'Cieľová adresa');
// Any text: what is no address, or too long a one, is told so by an error of its own.
export const targetUrl = describe(field.string({ label: targetText }).clone(), {
  label: targetText,
  help: text(
    'A public https:// address that receives the events.',
    'Verejná adresa https://, ktorá prijíma udalosti.',
  ),
  example: 'https://hooks.example.com/dealkeep/8f2c',
  format: 'uri',
  maxLength: limits.webhookTargetLength,
});
export const event = field.string({
  label: text('Event', 'Udalosť'),
  example: 'lead.created',
  eventType: true,
  max: 255,
});
const events = field.list(event, {
  label: text('Events', 'Udalosti'),
  example: ['lead.created', 'lead.won'],
  max: eventTypeCount,
});
const name = field.name({
  label: text('Name', 'Názov'),
  help: text(
    'Named after the key and the first event when not given.',
    'Ak sa neuvedie, odvodí sa z kľúča a prvej udalosti.',
  ),
  example: 'New leads to the mailing list',
  max: 255,
});

export const ownName = field.name({
  label: text('Name', 'Názov'),
  example: 'New leads to the mailing list',
  max: 255,
});

export const filters = field.dictionary(
  field.list(field.string({ label: text('Value', 'Hodnota'), max: 255 }), {
    label: text('Values', 'Hodnoty'),
    min: 1,
    max: limits.webhookFilterValues,
  }),
  {
    label: text('Filters', 'Filtre'),
    help: text(
      `Only events whose record has, for each field named here, one of its values: ${eventFilters.join(', ')}. Every chosen event must have the field.`,
      `Len udalosti, ktorých záznam má pre každé tu uvedené pole niektorú z jeho hodnôt: ${eventFilters.join(', ')}. Pole musí mať každá vybraná udalosť.`,
    ),
    example: { pipeline_id: [exampleRef.pipeline.id] },
    filtersEvents: true,
  },
);
export const changedFields = field.list(
  field.string({ label: text('Field', 'Pole'), example: 'value', changedField: true, max: 255 }),
  {
    label: text('Changed Fields', 'Zmenené polia'),
    help: text(
      'An updated event is delivered only when one of these fields of its data has changed; other events are always delivered.',
      'Udalosť o zmene sa doručí, len keď sa zmenilo niektoré z týchto polí v data; ostatné udalosti sa doručia vždy.',
    ),
    min: 1,
    max: limits.webhookFilterValues,
  },
);

const shape = {
  id: idOf(exampleRef.hook),
  target_url: targetUrl,
  events,
  name: name.nullable(),
  filters: filters.optional(),
  changed_fields: changedFields.optional(),
  created_at: createdAt,
};

export const webhookLabel = text('REST Hook', 'REST hook');

export const RestHook = record('RestHook', { label: webhookLabel }, shape);

const secret = field.string({
  label: text('Signing Secret', 'Podpisový kľúč'),
  help: text(
    'Verifies deliveries (Standard Webhooks). Shown only in this answer.',
    'Overuje doručenia (Standard Webhooks). Zobrazí sa iba v tejto odpovedi.',
  ),
  example: 'whsec_VGhpcyBpcyBub3QgYSByZWFsIHNlY3JldCwgc29ycnkh',
  secret: true,
});

export const RestHookCreated = record('RestHookCreated', { label: webhookLabel }, { ...shape, secret });

/** With the secret where a new one was asked for. */
export const RestHookUpdated = record(
  'RestHookUpdated',
  { label: webhookLabel },
  { ...shape, secret: secret.optional() },
);

export const CreateRestHook = body(
  'RestHookCreate',
  { label: webhookLabel, oneOf: { fields: ['events', 'event'], alone: true } },
  {
    target_url: targetUrl,
    events: events.nullish(),
    event: describe(event.clone(), {
      label: text('Event', 'Udalosť'),
      help: text('A single event instead of events.', 'Jedna udalosť namiesto poľa events.'),
      example: 'lead.created',
      eventType: true,
    }).nullish(),
    name: name.nullish(),
    filters: filters.nullish(),
    changed_fields: changedFields.nullish(),
    resume: forPrograms(
      field
        .boolean({
          label: text('Resume', 'Nadviazať'),
          help: text(
            `Take up a hook with this target that this credential deleted less than ${limits.deletedHookHours} hours ago, with what waited for it. Done unless this is false.`,
            `Nadviazať na hook s týmto cieľom, ktorý tento prístup zmazal pred menej ako ${limits.deletedHookHours} hodinami, aj s tým, čo naň čakalo. Deje sa to, ak tu nie je false.`,
          ),
          example: true,
        })
        .nullish(),
    ),
  },
);

/** A change of a hook; an absent field stays. */
export const UpdateRestHook = body(
  'RestHookUpdate',
  { label: webhookLabel },
  {
    name: ownName.optional(),
    target_url: targetUrl.optional(),
    events: events.optional(),
    filters: filters.nullish(),
    changed_fields: changedFields.nullish(),
    rotate_secret: forPrograms(
      field
        .boolean({
          label: text('Rotate Secret', 'Vymeniť podpisový kľúč'),
          help: text(
            `Give the hook a new signing secret, which the answer has this once. The former one signs, too, for ${limits.previousSecretHours} hours.`,
            `Dať hooku nový podpisový kľúč, ktorý bude iba v tejto odpovedi. Predošlý podpisuje tiež, ešte ${limits.previousSecretHours} hodín.`,
          ),
          example: true,
        })
        .nullish(),
    ),
  },
);

export const EventTypeItem = record(
  'EventType',
  { label: text('Event Type', 'Typ udalosti') },
  {
    type: event,
    label: field.string({ label: text('Label', 'Názov'), example: 'Lead created' }),
    description: field.string({ label: text('Description', 'Opis'), example: 'A lead was created.' }),
    entity: field.string({ label: text('Entity', 'Entita'), example: 'lead' }),
  },
);

/** What a webhook receives: the body of every delivery. `data` is the record as its GET answers it. */
export const Envelope = record(
  'WebhookEnvelope',
  { label: text('Envelope', 'Obálka') },
  {
    id: field.string({
      label: text('Event ID', 'ID udalosti'),
      help: text(
        'The same on every attempt, and equal to the header webhook-id.',
        'Rovnaké pri každom pokuse a zhodné s hlavičkou webhook-id.',
      ),
      example: 'evt_01985f6e2c4170aa8f53d2b6914ce7a0',
    }),
    type: event,
    timestamp: field.dateTime({ label: text('Timestamp', 'Čas'), example: '2026-10-01T13:05:09.480Z' }),
    api_version: field.string({ label: text('API Version', 'Verzia API'), example: '2026-10-01' }),
    organization: describe(
      z.object({
        id: describe(z.uuid(), {
          label: text('Organization ID', 'Organizácia – ID'),
          example: exampleRef.organization.id,
        }),
        slug: describe(z.string(), {
          label: text('Organization Slug', 'Organizácia – skratka'),
          example: 'tatra-studio',
        }),
      }),
      { label: text('Organization', 'Organizácia') },
    ),
    test: field.boolean({
      label: text('Test', 'Test'),
      help: text(
        'True in samples and test deliveries.',
        'Hodnota true vo vzorkách a testovacích doručeniach.',
      ),
      example: false,
    }),
    data: describe(z.record(z.string(), z.unknown()), { label: text('Data', 'Údaje') }),
    changed_fields: field
      .list(describe(z.string(), { label: text('Field', 'Pole'), example: 'value' }), {
        label: text('Changed Fields', 'Zmenené polia'),
        help: text('Only in updated events.', 'Iba v udalostiach o zmene.'),
        example: ['value'],
      })
      .optional(),
    previous: describe(z.record(z.string(), z.unknown()), {
      label: text('Previous', 'Predtým'),
      help: text(
        'Former values of the fields of data that have changed. Only in updated events, moves to another stage and steps of orders.',
        'Predošlé hodnoty zmenených polí v data. Iba v udalostiach o zmene, o presune do inej fázy a v krokoch objednávok.',
      ),
      example: { value: 12000 },
    }).optional(),
  },
);

const manage = { resource: 'webhook', scope: 'webhooks:manage', refusesLegacyKeys: true } as const;

export const webhookOperations = {
  'webhooks.list': operation({
    ...manage,
    id: 'webhooks.list',
    kind: 'list',
    method: 'GET',
    path: '/webhooks',
    query: wholeListQuery,
    wholeByDefault: true,
    answer: RestHook,
    shape: 'list',
    statuses: [200],
    errors: [],
    title: text('List REST hooks', 'Zoznam REST hookov'),
    about: text(
      'The hooks of this credential, the newest first; all on one page unless a limit is given.',
      'Hooky tohto prístupu, najnovšie prvé; všetky na jednej stránke, ak sa neuvedie limit.',
    ),
    instruction: 'Retrieve a list of the REST hooks of this credential.',
  }),
  'webhooks.create': operation({
    ...manage,
    id: 'webhooks.create',
    kind: 'create',
    method: 'POST',
    path: '/webhooks',
    body: CreateRestHook,
    answer: RestHookCreated,
    shape: 'record',
    statuses: [201],
    errors: [
      'UNKNOWN_EVENT',
      'WEBHOOK_URL_INVALID',
      'WEBHOOK_URL_BLOCKED',
      'LIMIT_EXCEEDED',
      'ROLE_PERMISSION_MISSING',
      'ROLE_SCOPE_LIMITED',
    ],
    noStore: true,
    title: text('Subscribe to events', 'Odoberať udalosti'),
    about: text(
      `Makes a REST hook. The target is at most ${limits.webhookTargetLength} characters long. Each event needs its read scope. One that this credential deleted less than ${limits.deletedHookHours} hours ago, with this target, comes back with what waited for it.`,
      `Vytvorí REST hook. Cieľ má najviac ${limits.webhookTargetLength} znakov. Každá udalosť vyžaduje svoje oprávnenie na čítanie. Hook s týmto cieľom, ktorý tento prístup zmazal pred menej ako ${limits.deletedHookHours} hodinami, sa vráti aj s tým, čo naň čakalo.`,
    ),
    instruction: 'Create a REST hook, which sends events to an address of yours.',
    sendsTo: 'target_url',
  }),
  'webhooks.events': operation({
    ...manage,
    id: 'webhooks.events',
    tool: 'list_webhook_events',
    kind: 'list',
    method: 'GET',
    path: '/webhooks/events',
    answer: EventTypeItem,
    shape: 'list',
    statuses: [200],
    errors: [],
    title: text('List event types', 'Zoznam typov udalostí'),
    about: text('Every event that can be subscribed to.', 'Každá udalosť, ktorú možno odoberať.'),
    instruction: 'Retrieve a list of the events that a REST hook can be made for.',
  }),
  'webhooks.sample': operation({
    ...manage,
    id: 'webhooks.sample',
    tool: 'get_webhook_event_sample',
    kind: 'get',
    method: 'GET',
    path: '/webhooks/events/{type}/sample',
    answer: describe(z.array(Envelope), { label: text('Sample', 'Vzorka') }),
    shape: 'bare',
    statuses: [200],
    errors: [],
    title: text('Get a sample event', 'Vzorka udalosti'),
    about: text(
      'A bare array with one envelope whose test is true.',
      'Pole s jednou obálkou, v ktorej má test hodnotu true.',
    ),
    instruction: 'Retrieve an event with realistic values, in the form in which it is delivered.',
  }),
  'webhooks.get': operation({
    ...manage,
    id: 'webhooks.get',
    kind: 'get',
    method: 'GET',
    path: '/webhooks/{id}',
    answer: RestHook,
    shape: 'record',
    statuses: [200],
    errors: [],
    title: text('Get a REST hook', 'Zobraziť REST hook'),
    about: text('One hook of this credential.', 'Jeden hook tohto prístupu.'),
  }),
  'webhooks.update': operation({
    ...manage,
    id: 'webhooks.update',
    kind: 'update',
    method: 'PATCH',
    path: '/webhooks/{id}',
    body: UpdateRestHook,
    answer: RestHookUpdated,
    shape: 'record',
    statuses: [200],
    noStore: 'with a secret',
    errors: [
      'UNKNOWN_EVENT',
      'WEBHOOK_URL_INVALID',
      'WEBHOOK_URL_BLOCKED',
      'ROLE_PERMISSION_MISSING',
      'ROLE_SCOPE_LIMITED',
    ],
    title: text('Update a REST hook', 'Upraviť REST hook'),
    about: text(
      'Absent fields stay, and so does the signing secret unless rotate_secret asks for another. What still waits goes to a new target_url, also events that are no longer chosen. Each new event needs its read scope.',
      'Neuvedené polia ostávajú, aj podpisový kľúč, ak si rotate_secret nevyžiada nový. Čo ešte čaká, ide na novú target_url, aj udalosti, ktoré už nie sú vybrané. Každá nová udalosť vyžaduje svoje oprávnenie na čítanie.',
    ),
    instruction: 'Change the address or the events of a REST hook.',
    sendsTo: 'target_url',
  }),
  'webhooks.delete': operation({
    ...manage,
    id: 'webhooks.delete',
    kind: 'delete',
    method: 'DELETE',
    path: '/webhooks/{id}',
    shape: 'nothing',
    statuses: [204],
    errors: [],
    title: text('Unsubscribe', 'Zrušiť odber'),
    about: text(
      `Deletes the hook. What was still to be delivered is kept for ${limits.deletedHookHours} hours, for a new subscription of this credential to the same target, then dropped.`,
      `Zmaže hook. Nedoručené udalosti ponechá ${limits.deletedHookHours} hodín pre nový odber tohto prístupu na rovnaký cieľ, potom ich zahodí.`,
    ),
    instruction: 'Delete a REST hook. Nothing is delivered to it any more.',
    destructive: true,
  }),
};
