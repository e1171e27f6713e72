import * as z from 'zod';
import { describe } from '../field.ts';
import { limits } from '../limits.ts';
import { consoleOperation } from '../operation.ts';
import type { Permission } from '../role-permissions.ts';
import * as field from '../scalars.ts';
import { exampleRef } from '../shapes.ts';
import { text } from '../text.ts';
import type { SearchedKind } from './search.ts';
import { Envelope } from './webhooks.ts';

/** Where the records of a kind stand, and what a role must permit to see them. */
const kinds = {
  company: { plural: 'companies', id: 'id', permission: 'companies.view' },
  contact: { plural: 'contacts', id: 'id', permission: 'companies.view' },
  client: { plural: 'clients', id: 'id', permission: 'clients.view' },
  lead: { plural: 'leads', id: 'id', permission: 'leads.view' },
  activity: { plural: 'activities', id: 'id', permission: 'activities.view' },
  task: { plural: 'tasks', id: 'id', permission: 'tasks.view' },
  invoice: { plural: 'invoices', id: 'id', permission: 'budget.view' },
  quote: { plural: 'quotes', id: 'id', permission: 'budget.view' },
  booking: { plural: 'bookings', id: 'id', permission: 'booking.view' },
  order: { plural: 'orders', id: 'uuid', permission: 'orders.view' },
  product: { plural: 'products', id: 'uuid', permission: 'orders.view' },
} as const satisfies Record<
  SearchedKind,
  { readonly plural: string; readonly id: 'id' | 'uuid'; readonly permission: Permission }
>;

type Kinds = typeof kinds;

/**
 * Records of a kind that belong to another record are counted up to here; of more it is said that there are more.
 */
export const mostCounted = 1000;

const TimelineQuery = z.strictObject({
  about: field
    .choice({
      label: text('About', 'O čom'),
      choices: {
        all: text('Everything', 'Všetko'),
        changes: text('Changes', 'Zmeny'),
        activities: text('Tasks and activities', 'Úlohy a aktivity'),
      },
      example: 'all',
    })
    .optional(),
  cursor: describe(z.string(), {
    label: text('Cursor', 'Kurzor'),
    help: text('next_cursor of the page before.', 'next_cursor z predchádzajúcej stránky.'),
    maxLength: limits.cursorLength,
  }).optional(),
});

const actor = describe(
  z.object({
    kind: field.string({ label: text('Kind', 'Druh'), example: 'user' }),
    name: field.string({ label: text('Name', 'Meno'), example: exampleRef.user.name }).nullable(),
    via: field
      .string({
        label: text('By', 'Cez'),
        help: text(
          'The key or the app by which it was done.',
          'Kľúč alebo aplikácia, cez ktorú sa to stalo.',
        ),
        example: 'Zapier',
      })
      .nullable(),
  }),
  {
    label: text('Who', 'Kto'),
    help: text('Null where it was not noted.', 'Hodnota null, ak sa to nezaznamenalo.'),
  },
).nullable();

const TimelinePage = z.object({
  entries: field.list(
    describe(z.object({ event: Envelope, by: actor }), { label: text('Entry', 'Záznam') }),
    { label: text('Entries', 'Záznamy') },
  ),
  next_cursor: describe(z.string(), { label: text('Next cursor', 'Ďalší kurzor') }).nullable(),
});

const RelatedCount = z.object({
  resource: field.string({ label: text('Kind', 'Druh'), example: 'lead' }),
  records: field.integer({ label: text('Records', 'Záznamy'), example: 3 }),
});

const timelineOf = (kind: SearchedKind) => {
  const { plural, id, permission } = kinds[kind];
  return consoleOperation({
    id: `${plural}.timeline`,
    resource: kind,
    kind: 'get',
    method: 'GET',
    path: `/${plural}/{${id}}/timeline`,
    permissions: [permission],
    query: TimelineQuery,
    answer: TimelinePage,
    shape: 'bare',
    errors: ['INVALID_CURSOR'],
    title: text('Show what happened to a record', 'Zobraziť, čo sa so záznamom stalo'),
    about: text(
      'What happened to a record and to what belongs to it, the newest first.',
      'Čo sa stalo so záznamom a s tým, čo k nemu patrí, najnovšie prvé.',
    ),
  } as const);
};

const relatedOf = (kind: SearchedKind) => {
  const { plural, id, permission } = kinds[kind];
  return consoleOperation({
    id: `${plural}.related`,
    resource: kind,
    kind: 'get',
    method: 'GET',
    path: `/${plural}/{${id}}/related`,
    permissions: [permission],
    answer: z.array(RelatedCount),
    shape: 'bare',
    errors: [],
    title: text('Count what belongs to a record', 'Spočítať, čo k záznamu patrí'),
    about: text(
      `How many records of each kind belong to it that the user may see; ${mostCounted + 1} where there are more.`,
      `Koľko záznamov každého druhu k nemu patrí, ktoré používateľ smie vidieť; ${mostCounted + 1}, ak ich je viac.`,
    ),
  } as const);
};

export type TimelineOperation = `${Kinds[SearchedKind]['plural']}.timeline`;
export type RelatedOperation = `${Kinds[SearchedKind]['plural']}.related`;

type TimelineOperations = {
  readonly [Id in TimelineOperation]: ReturnType<typeof timelineOf>;
} & {
  readonly [Id in RelatedOperation]: ReturnType<typeof relatedOf>;
};

const kindNames = Object.keys(kinds).filter((name): name is SearchedKind => name in kinds);

/** What a record's page shows beside its fields: each operation once for every kind that has a page. */
export const timelineOperations = Object.fromEntries(
  kindNames.flatMap((kind) => [timelineOf(kind), relatedOf(kind)]).map((each) => [each.id, each]),
) as TimelineOperations;

/** The operation that answers the timeline of a kind. */
export const timelineOperation = (kind: SearchedKind): TimelineOperation => `${kinds[kind].plural}.timeline`;

/** The operation that counts what belongs to a record of a kind. */
export const relatedOperation = (kind: SearchedKind): RelatedOperation => `${kinds[kind].plural}.related`;
