import * as z from 'zod';
import { describe } from '../field.ts';
import { limits } from '../limits.ts';
import { consoleOperation } from '../operation.ts';
import { type RecordName, type Records, recordKindNames, records } from '../records.ts';
import type { RecordDeclaration } from '../resource.ts';
import * as field from '../scalars.ts';
import { exampleRef } from '../shapes.ts';
import { text } from '../text.ts';
import { Envelope } from './webhooks.ts';

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

const timelineOf = (kind: RecordName) => {
  const { collection, idField = 'id', permission }: RecordDeclaration = records[kind];
  return consoleOperation({
    id: `${collection}.timeline`,
    resource: kind,
    kind: 'get',
    method: 'GET',
    path: `/${collection}/{${idField}}/timeline`,
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

const relatedOf = (kind: RecordName) => {
  const { collection, idField = 'id', permission }: RecordDeclaration = records[kind];
  return consoleOperation({
    id: `${collection}.related`,
    resource: kind,
    kind: 'get',
    method: 'GET',
    path: `/${collection}/{${idField}}/related`,
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

export type TimelineOperation = `${Records[RecordName]['collection']}.timeline`;
export type RelatedOperation = `${Records[RecordName]['collection']}.related`;

type TimelineOperations = {
  readonly [Id in TimelineOperation]: ReturnType<typeof timelineOf>;
} & {
  readonly [Id in RelatedOperation]: ReturnType<typeof relatedOf>;
};

/** What a record's page shows beside its fields: each operation once for every kind that has a page. */
export const timelineOperations = Object.fromEntries(
  recordKindNames.flatMap((kind) => [timelineOf(kind), relatedOf(kind)]).map((each) => [each.id, each]),
) as TimelineOperations;

/** The operation that answers the timeline of a kind. */
export const timelineOperation = (kind: RecordName): TimelineOperation =>
  `${records[kind].collection}.timeline`;

/** The operation that counts what belongs to a record of a kind. */
export const relatedOperation = (kind: RecordName): RelatedOperation => `${records[kind].collection}.related`;
