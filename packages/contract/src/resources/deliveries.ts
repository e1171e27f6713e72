import { limits } from '../limits.ts';
import * as field from '../scalars.ts';
import { body } from '../shapes.ts';
import { text } from '../text.ts';

const label = text('Delivery', 'Doručenie');
const webhookId = field.uuid({ label: text('Webhook', 'Webhook') });
const until = field.dateTime({ label: text('Until', 'Do'), example: '2026-10-02T08:00:00.000Z' });
const since = field.dateTime({ label: text('Since', 'Od'), example: '2026-10-01T08:00:00.000Z' });

/** What people look for in the delivery log, as the console asks for it. An absent filter lets everything through. */
export const SearchDeliveries = body(
  'DeliverySearch',
  { label },
  {
    webhook_id: webhookId.optional(),
    event_id: field.string({ label: text('Event Id', 'Id udalosti'), max: 100 }).optional(),
    event_type: field.string({ label: text('Event', 'Udalosť'), max: 100 }).optional(),
    record_id: field.uuid({ label: text('Record', 'Záznam') }).optional(),
    outcome: field
      .choice({
        label: text('Outcome', 'Výsledok'),
        choices: {
          delivered: text('Delivered', 'Doručené'),
          waiting: text('Waiting for a retry', 'Čaká na ďalší pokus'),
          held: text('Held until the webhook is enabled', 'Pozdržané, kým sa webhook nezapne'),
          failed: text('Failed', 'Neúspešné'),
        },
      })
      .optional(),
    status: field.integer({ label: text('HTTP Status', 'Stav HTTP'), min: 100, max: 999 }).optional(),
    since: since.optional(),
    until: until.optional(),
    limit: field.integer({ label: text('Limit', 'Počet'), min: 1, max: limits.pageSizeMaximum }).optional(),
    cursor: field.string({ label: text('Cursor', 'Kurzor') }).optional(),
  },
);

/** Which deliveries of a webhook are sent again; those of the whole log when `since` and `until` are absent. */
export const ReplayDeliveries = body(
  'DeliveryReplay',
  { label },
  {
    webhook_id: webhookId,
    since: since.optional(),
    until: until.optional(),
    failed: field
      .boolean({
        label: text('Only failed', 'Iba neúspešné'),
        help: text('Only those whose last attempt failed.', 'Iba tie, ktorých posledný pokus zlyhal.'),
      })
      .optional(),
  },
);
