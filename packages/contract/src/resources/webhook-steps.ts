import { exampleMoments } from '../example-moments.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import * as field from '../scalars.ts';
import { body, record } from '../shapes.ts';
import { text } from '../text.ts';
import {
  deliveryId,
  duration,
  error,
  eventType,
  HookDelivery,
  ofHook,
  responseStart,
  responseStatus,
} from './deliveries.ts';

const label = text('Delivery', 'Doručenie');

/** Which deliveries of a webhook are sent again. */
export const RecoverDeliveries = body(
  'WebhookRecover',
  { label },
  {
    since: field.dateTime({
      label: text('Since', 'Od'),
      help: text(
        `Those that were last tried at this moment or later; at most ${limits.deliveryLogDays} days back.`,
        `Tie, ktoré sa naposledy skúšali v tomto okamihu alebo neskôr; najviac ${limits.deliveryLogDays} dní dozadu.`,
      ),
      example: exampleMoments.yesterday,
    }),
    until: field
      .dateTime({
        label: text('Until', 'Do'),
        help: text(
          'And that were last tried before this moment; now when not given.',
          'A ktoré sa naposledy skúšali pred týmto okamihom; teraz, ak sa neuvedie.',
        ),
        example: exampleMoments.today,
      })
      .optional(),
    only_failed: field
      .boolean({
        label: text('Only Failed', 'Iba neúspešné'),
        help: text(
          'Only those whose last attempt failed, as when not given. With false also those that were delivered.',
          'Iba tie, ktorých posledný pokus zlyhal, ako keď sa neuvedie. Pri hodnote false aj doručené.',
        ),
        example: true,
      })
      .optional(),
  },
);

const WebhookRecovery = record(
  'WebhookRecovery',
  { label },
  {
    count: field.integer({
      label: text('Number of Deliveries', 'Počet doručení'),
      help: text('How many are sent again.', 'Koľko sa ich pošle znova.'),
      example: 12,
    }),
  },
);

/** What came of a test event. */
const WebhookTestResult = record(
  'WebhookTestResult',
  { label: text('Test Event', 'Testovacia udalosť') },
  {
    delivery_id: deliveryId,
    event: eventType,
    delivered: field.boolean({
      label: text('Delivered', 'Doručené'),
      help: text('The receiver answered with a 2xx.', 'Príjemca odpovedal stavom 2xx.'),
      example: false,
    }),
    response_status: responseStatus,
    error,
    response_start: responseStart,
    duration_ms: duration,
  },
);

const ofWebhook = { ...ofHook, resource: 'webhook' } as const;

/** What is done with a webhook and its deliveries besides the schedule. */
export const webhookStepOperations = {
  'webhooks.test': operation({
    ...ofWebhook,
    id: 'webhooks.test',
    kind: 'action',
    method: 'POST',
    path: '/webhooks/{id}/test',
    body: body(
      'WebhookTest',
      { label: text('Test Event', 'Testovacia udalosť') },
      { event: eventType.optional() },
    ),
    answer: WebhookTestResult,
    shape: 'record',
    report: true,
    unconditional: true,
    statuses: [200],
    errors: ['UNKNOWN_EVENT', 'CONFLICT'],
    title: text('Send a test event', 'Poslať testovaciu udalosť'),
    about: text(
      `Sends a sample now and answers what the receiver said, after at most ${limits.deliveryTimeoutSeconds} seconds. It is tried once, stands in the delivery log, and says nothing about the health of the hook. Without event it is the first one of the hook.`,
      `Hneď pošle vzorku a vráti, čo odpovedal príjemca, najneskôr po ${limits.deliveryTimeoutSeconds} sekundách. Skúsi sa raz, zapíše sa do denníka doručení a nehovorí nič o stave hooku. Bez poľa event je to prvá udalosť hooku.`,
    ),
    instruction: 'Send a sample of an event to a REST hook now, and tell what its receiver answered.',
    sendsTo: 'target_url',
  }),
  'webhooks.recover': operation({
    ...ofWebhook,
    id: 'webhooks.recover',
    kind: 'action',
    method: 'POST',
    path: '/webhooks/{id}/recover',
    body: RecoverDeliveries,
    answer: WebhookRecovery,
    shape: 'record',
    report: true,
    unconditional: true,
    statuses: [200],
    errors: ['CONFLICT'],
    title: text('Send failed deliveries again', 'Znova poslať neúspešné doručenia'),
    about: text(
      `Answers how many are sent again: one extra attempt each, the oldest first, at most ${limits.replayedPerSecond} a second. Test events and events that are no longer kept are left out.`,
      `Vráti, koľko sa ich pošle znova: každé raz navyše, najstaršie prvé, najviac ${limits.replayedPerSecond} za sekundu. Testovacie udalosti a udalosti, ktoré sa už neuchovávajú, sa vynechajú.`,
    ),
    instruction: 'Send the deliveries of a REST hook again that failed since a moment.',
    sendsTo: 'target_url',
  }),
  'webhook-deliveries.resend': operation({
    ...ofHook,
    id: 'webhook-deliveries.resend',
    kind: 'action',
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{delivery_id}/resend',
    answer: HookDelivery,
    shape: 'record',
    statuses: [200],
    errors: ['CONFLICT'],
    title: text('Send a delivery again', 'Poslať doručenie znova'),
    about: text(
      'One extra attempt, as soon as possible, with the same body and webhook-id; its retries stay as they were planned. Asked for twice before it is sent, it is sent once.',
      'Jeden pokus navyše, čo najskôr, s rovnakým telom a webhook-id; naplánované opakovania ostávajú. Ak sa vyžiada dvakrát, kým sa odošle, pošle sa raz.',
    ),
    instruction: 'Send a delivery to its REST hook again.',
    sendsTo: 'target_url',
  }),
};
