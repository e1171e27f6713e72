import * as z from 'zod';
import { describe } from '../field.ts';
import { limits } from '../limits.ts';
import { listQuery } from '../list-query.ts';
import { operation } from '../operation.ts';
import * as field from '../scalars.ts';
import { exampleRef } from '../shapes.ts';
import { text } from '../text.ts';
import { Envelope } from './webhooks.ts';

export const eventLabel = text('Event', 'Udalosť');

/** The query of the feed; its order is the one in which events became visible, so there is no sort. */
const EventQuery = listQuery({
  types: field
    .string({
      label: text('Types', 'Typy'),
      help: text(
        'Event types, separated by commas; all that the credential may read when not given.',
        'Typy udalostí oddelené čiarkami; ak sa neuvedú, všetky, ktoré prístup smie čítať.',
      ),
      example: 'lead.created,lead.won',
      max: 4000,
    })
    .optional(),
  record_id: field
    .uuid({
      label: text('Record', 'Záznam'),
      help: text('Only events of this record.', 'Len udalosti tohto záznamu.'),
      example: exampleRef.lead.id,
    })
    .optional(),
  created_after: field
    .dateTime({
      label: text('Created After', 'Vytvorené po'),
      help: text('Only events after this moment.', 'Len udalosti po tomto okamihu.'),
      example: '2026-09-01T00:00:00.000Z',
    })
    .optional(),
  wait: describe(z.int().min(0).max(limits.feedWaitSeconds), {
    label: text('Wait', 'Čakať'),
    help: text(
      `Seconds to wait for an event when there is none yet, ${limits.feedWaitSeconds} at most; the answer comes as soon as there is one.`,
      `Sekundy, koľko čakať, keď ešte žiadna udalosť nie je, najviac ${limits.feedWaitSeconds}; odpoveď príde hneď, ako nejaká je.`,
    ),
    example: 0,
    default: 0,
  }).optional(),
}).omit({ created_before: true, updated_since: true, updated_before: true, sort: true });

/** Each event asks for what reading its record asks for, so no scope is that of the whole feed. */
const byType = {
  resource: 'event',
  method: 'GET',
  scope: null,
  answer: Envelope,
  asStored: true,
  statuses: [200],
} as const;
const refusals = [
  'FORBIDDEN',
  'LEGACY_KEY_NOT_ALLOWED',
  'ROLE_PERMISSION_MISSING',
  'ROLE_SCOPE_LIMITED',
] as const;

export const eventOperations = {
  'events.list': operation({
    ...byType,
    id: 'events.list',
    tool: 'what_changed',
    kind: 'list',
    path: '/events',
    query: EventQuery,
    shape: 'list',
    endless: true,
    errors: refusals,
    title: text('List events', 'Zoznam udalostí'),
    about: text(
      `What happened, in the order in which it became visible: exactly what webhooks receive, and none is ever passed by. Kept at least ${limits.eventDays} days. next_cursor is always there, also on an empty page: keep it, and ask with it again, with wait to be told at once. Each event needs its read scope.`,
      `Čo sa stalo, v poradí, v akom to bolo viditeľné: presne to, čo dostávajú webhooky, a žiadna udalosť sa nevynechá. Uchováva sa aspoň ${limits.eventDays} dní. next_cursor je tam vždy, aj na prázdnej stránke: uložte si ho a pýtajte sa s ním znova, s wait sa to dozviete hneď. Každá udalosť vyžaduje svoje oprávnenie na čítanie.`,
    ),
    instruction: 'Retrieve a list of the events since a cursor, in order, or wait for the next.',
  }),
  'events.get': operation({
    ...byType,
    id: 'events.get',
    kind: 'get',
    path: '/events/{id}',
    shape: 'record',
    errors: refusals,
    title: text('Get an event', 'Zobraziť udalosť'),
    about: text(
      'One event, exactly as webhooks receive it.',
      'Jedna udalosť presne tak, ako ju dostávajú webhooky.',
    ),
  }),
};
