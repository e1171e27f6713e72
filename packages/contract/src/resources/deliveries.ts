import * as z from 'zod';
import { exampleMoments } from '../example-moments.ts';
import { describe } from '../field.ts';
import { limits } from '../limits.ts';
import { listQuery } from '../list-query.ts';
import { operation } from '../operation.ts';
import * as field from '../scalars.ts';
import { body, exampleRef, record } from '../shapes.ts';
import { text } from '../text.ts';

const label = text('Delivery', 'Doručenie');
export const deliveryLabel = label;
const webhookId = field.uuid({ label: text('Webhook', 'Webhook') });
const until = field.dateTime({ label: text('Until', 'Do'), example: exampleMoments.today });
const since = field.dateTime({ label: text('Since', 'Od'), example: exampleMoments.yesterday });

/** How a delivery stands after its last attempt. */
const outcomes = {
  delivered: text('Delivered', 'Doručené'),
  waiting: text('Waiting for a retry', 'Čaká na ďalší pokus'),
  held: text('Held until the webhook is enabled', 'Pozdržané, kým sa webhook nezapne'),
  failed: text('Failed', 'Neúspešné'),
};

/**
 * What people look for in the delivery log, as the console asks for it. An absent filter lets everything through.
 */
export const SearchDeliveries = body(
  'DeliverySearch',
  { label },
  {
    webhook_id: webhookId.optional(),
    event_id: field.string({ label: text('Event Id', 'Id udalosti'), max: 100 }).optional(),
    event_type: field.string({ label: text('Event', 'Udalosť'), max: 100 }).optional(),
    record_id: field.uuid({ label: text('Record', 'Záznam') }).optional(),
    /** Of any of these. */
    record_ids: field
      .list(field.uuid({ label: text('Record', 'Záznam') }), { label: text('Records', 'Záznamy'), max: 50 })
      .optional(),
    /** True: of test events alone. */
    test: field.boolean({ label: text('Test', 'Test') }).optional(),
    outcome: field.choice({ label: text('Outcome', 'Výsledok'), choices: outcomes }).optional(),
    status: field.integer({ label: text('HTTP Status', 'Stav HTTP'), min: 100, max: 999 }).optional(),
    since: since.optional(),
    until: until.optional(),
    limit: field.integer({ label: text('Limit', 'Počet'), min: 1, max: limits.pageSizeMaximum }).optional(),
    cursor: field.string({ label: text('Cursor', 'Kurzor') }).optional(),
  },
);

export const deliveryId = field.string({
  label: text('Delivery ID', 'ID doručenia'),
  help: text(
    'The id of the event, which a hook receives as one delivery: the same as the header webhook-id.',
    'ID udalosti, ktorú hook dostane ako jedno doručenie: rovnaké ako hlavička webhook-id.',
  ),
  example: 'evt_01985f6e2c4170aa8f53d2b6914ce7b4',
});
/** The type of the event that a delivery brings. */
export const eventType = field.string({
  label: text('Event', 'Udalosť'),
  example: 'lead.created',
  eventType: true,
  max: 255,
});
const recordId = field.uuid({
  label: text('Record', 'Záznam'),
  help: text('The record that the event is about.', 'Záznam, ktorého sa udalosť týka.'),
  example: exampleRef.lead.id,
});
const status = field.choice({
  label: text('Status', 'Stav'),
  help: text('By the last attempt.', 'Podľa posledného pokusu.'),
  choices: outcomes,
  example: 'waiting',
});
export const responseStatus = field
  .integer({
    label: text('Response Status', 'Stav odpovede'),
    help: text('Null when nothing was answered.', 'Prázdne, keď nikto neodpovedal.'),
    example: 503,
  })
  .nullable();
export const error = describe(
  z.object({
    en: field.string({ label: text('In English', 'Po anglicky'), example: 'connection refused' }),
    sk: field.string({ label: text('In Slovak', 'Po slovensky'), example: 'spojenie bolo odmietnuté' }),
  }),
  {
    label: text('Error', 'Chyba'),
    help: text(
      'Why nothing was answered, or that a redirect was not followed.',
      'Prečo nikto neodpovedal, alebo že sa presmerovanie nenasledovalo.',
    ),
  },
).nullable();
const nextAttemptAt = field
  .dateTime({
    label: text('Next Attempt At', 'Ďalší pokus'),
    help: text('Null when none is planned.', 'Prázdne, keď sa žiadny neplánuje.'),
    example: '2026-10-01T13:10:12.030Z',
  })
  .nullable();

const deliveryShape = {
  id: deliveryId,
  event: eventType.nullable(),
  record_id: recordId.nullable(),
  status,
  attempt_count: field.integer({ label: text('Number of Attempts', 'Počet pokusov'), example: 1 }),
  response_status: responseStatus,
  error,
  created_at: field
    .dateTime({
      label: text('Created At', 'Vytvorené'),
      help: text(
        'When the event happened; null when it is no longer kept.',
        'Kedy sa udalosť stala; prázdne, keď sa už neuchováva.',
      ),
      example: '2026-10-01T13:05:09.480Z',
    })
    .nullable(),
  last_attempt_at: field.dateTime({
    label: text('Last Attempt At', 'Posledný pokus'),
    example: '2026-10-01T13:05:12.030Z',
  }),
  next_attempt_at: nextAttemptAt,
};

export const duration = field.integer({
  label: text('Duration in Milliseconds', 'Trvanie v milisekundách'),
  example: 184,
});
export const responseStart = field
  .string({
    label: text('Start of the Answer', 'Začiatok odpovede'),
    help: text('The first 1 KiB of what was answered.', 'Prvý 1 KiB odpovede.'),
    example: 'Service Unavailable',
  })
  .nullable();

/** One event on its way to one hook, as lists show it. */
export const HookDeliveryItem = record('HookDeliveryItem', { label }, deliveryShape);

const attempt = describe(
  z.object({
    number: field.integer({
      label: text('Number', 'Číslo'),
      help: text('As the header X-Service-Attempt.', 'Ako hlavička X-Service-Attempt.'),
      example: 1,
    }),
    started_at: field.dateTime({
      label: text('Started At', 'Začiatok'),
      example: '2026-10-01T13:05:12.030Z',
    }),
    duration_ms: duration,
    response_status: responseStatus,
    error,
    response_start: responseStart,
    next_attempt_at: nextAttemptAt,
    by_hand: field.boolean({
      label: text('By Hand', 'Ručne'),
      help: text('An extra attempt that was asked for.', 'Vyžiadaný pokus navyše.'),
      example: false,
    }),
  }),
  { label: text('Attempt', 'Pokus'), id: 'HookDeliveryAttempt' },
);

/** The same with its attempts. */
export const HookDelivery = record(
  'HookDelivery',
  { label },
  {
    ...deliveryShape,
    attempts: field.list(attempt, {
      label: text('Attempts', 'Pokusy'),
      help: text('The first one first.', 'Prvý je prvý.'),
    }),
  },
);

const DeliveryQuery = listQuery({
  status: status.optional(),
  event: eventType.optional(),
  record_id: recordId.optional(),
  created_after: field
    .dateTime({
      label: text('Created After', 'Vytvorené po'),
      help: text(
        'Only of events that happened after this moment.',
        'Len pre udalosti, ktoré sa stali po tomto okamihu.',
      ),
      example: '2026-09-01T00:00:00.000Z',
    })
    .optional(),
}).omit({ created_before: true, updated_since: true, updated_before: true, sort: true });

/** Programs do it with their own hooks, owners in the console with all of the organization. */
export const ofHook = {
  resource: 'delivery',
  scope: 'webhooks:manage',
  refusesLegacyKeys: true,
} as const;

/** What became of the events of a hook, for the credential that made it. */
export const deliveryOperations = {
  'webhook-deliveries.list': operation({
    ...ofHook,
    id: 'webhook-deliveries.list',
    kind: 'list',
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    query: DeliveryQuery,
    answer: HookDeliveryItem,
    shape: 'list',
    statuses: [200],
    errors: [],
    title: text('List deliveries of a hook', 'Zoznam doručení hooku'),
    about: text(
      `What was sent to a hook of this credential, the one tried last first; kept at least ${limits.deliveryLogDays} days. One that was not tried yet is not among them.`,
      `Čo sa poslalo hooku tohto prístupu, naposledy skúšané prvé; uchováva sa aspoň ${limits.deliveryLogDays} dní. Čo sa ešte neskúšalo, medzi nimi nie je.`,
    ),
    instruction: 'Retrieve a list of the deliveries of a REST hook, with the outcome of each.',
  }),
  'webhook-deliveries.get': operation({
    ...ofHook,
    id: 'webhook-deliveries.get',
    kind: 'get',
    method: 'GET',
    path: '/webhooks/{id}/deliveries/{delivery_id}',
    answer: HookDelivery,
    shape: 'record',
    statuses: [200],
    errors: [],
    title: text('Get a delivery of a hook', 'Zobraziť doručenie hooku'),
    about: text(
      'One delivery with all its attempts. What was sent is the event of the same id.',
      'Jedno doručenie so všetkými pokusmi. Poslala sa udalosť s rovnakým ID.',
    ),
    instruction: 'Retrieve a delivery of an event to a REST hook, with each of its attempts.',
  }),
};
