import {
  type EventType,
  events,
  eventTypes,
  isEventType,
  type OperationDeclaration,
  operations,
  type ReferenceName,
  references,
  toolSets,
} from '@dealkeep/contract';
import { invalidField, Problem } from '@dealkeep/core/foundations';
import type { Credential } from '@dealkeep/core/identity';
import { renamed } from '../arguments/as-named.ts';
import { idIn } from '../arguments/id-in.ts';
import { isSetOn, setOf } from '../switches.ts';
import { enclosed } from '../texts/enclosed.ts';
import { idOf, nameOf, valueText } from '../texts/record-lines.ts';
import { type Measure, shown } from '../texts/shown.ts';
import { inOneLine } from '../texts/visible.ts';
import { isReadable } from './allowed.ts';
import { fitting, type ShownPage } from './fitting-page.ts';
import { runOperation } from './run-operation.ts';
import { usualPage } from './show-list.ts';
import type { Arguments, Call, Tool } from './tool.ts';

const feed: OperationDeclaration = operations['events.list'];
const usualHours = 24;
/** What the feed calls otherwise than its tool. */
const toldAs: Readonly<Record<string, string>> = { created_after: 'since', record_id: 'record' };
const longest = { name: 120, value: 80 };

/** What happened lately, of the event feed: when, what, to which record, and what its fields were before. */
export function whatChangedTool(): Tool {
  return {
    listed: {
      name: 'what_changed',
      title: 'What changed',
      description:
        'Retrieve what happened to records, in order, with the values that fields had before. Use it for "what is new" and for the history of one record; use the lists for how things stand now.',
      inputSchema: {
        type: 'object',
        properties: {
          since: {
            type: 'string',
            format: 'date-time',
            description: `The last ${usualHours} hours when not given.`,
          },
          types: {
            type: 'array',
            items: { type: 'string' },
            description: 'Event types, like lead.won.',
          },
          record: { type: 'string', description: 'Only of this one: lead:ID, or the address of its page.' },
          cursor: {
            type: 'string',
            description: 'next_cursor of the answer before, with the same types and record.',
          },
          limit: { type: 'integer', minimum: 1, maximum: 100, description: `${usualPage} when not given.` },
        },
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: {
          events: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                time: { type: 'string' },
                type: { type: 'string' },
                record: { type: 'string' },
                name: { type: 'string' },
                changes: { type: 'object' },
              },
            },
          },
          has_more: { type: 'boolean' },
          next_cursor: { type: 'string' },
        },
        required: ['events', 'has_more', 'next_cursor'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    operations: [feed],
    set: undefined,
    usual: true,
    changes: false,
    call: whatChanged,
  };
}

async function whatChanged(call: Call): ReturnType<Tool['call']> {
  const { since, types, record, cursor, limit, ...others } = call.arguments;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalidField(unknown, 'field.unknown');
  // A cursor is of one question: it has the moment since which was asked.
  const [, begun, after] = (typeof cursor === 'string' && /^([^ ]+) ([^ ]+)$/.exec(cursor)) || [];
  const now = call.core.clock.now().getTime();
  const asked: Arguments = {
    created_after: begun ?? since ?? new Date(now - usualHours * 3600_000).toISOString(),
    types: typesFor(call.credential, types),
    record_id: record === undefined || record === null ? undefined : recordIn(record, call.core.origin),
    cursor: after ?? cursor,
  };
  const ask = async (most: unknown) => {
    const { value } = await runOperation(call, 'events.list', { ...asked, limit: most }).catch(
      (error: unknown) => {
        throw renamed(error, (path) => toldAs[path] ?? path);
      },
    );
    const { data, next_cursor: next, has_more: hasMore } = Object(value);
    const records: readonly unknown[] = Array.isArray(data) ? data : [];
    return { records, hasMore: hasMore === true, next: `${asked['created_after']} ${next}` };
  };
  let page = await ask(limit ?? usualPage);
  const show = (some: readonly unknown[], measure: Measure): ShownPage => shownEvents(some, page, measure);
  let fits = fitting(page.records, show);
  while (fits.count < page.records.length) {
    page = await ask(fits.count);
    fits = fitting(page.records, show);
  }
  return { content: [{ type: 'text', text: fits.page.text }], structuredContent: fits.page.structured };
}

/**
 * The types that are read: those asked for, else all that the owner lets assistants read, undefined where that is
 * all. Raises FORBIDDEN for one of a set that is switched off.
 */
function typesFor(credential: Credential, asked: unknown): unknown {
  if (credential.assistants.toolSets === null) return asked;
  if (asked === undefined || asked === null) {
    return eventTypes.filter((type) => isOffered(credential, type) && isReadable(credential, type));
  }
  for (const type of Array.isArray(asked) ? asked : String(asked).split(',')) {
    const set = isEventType(type) ? setOf(events[type].entity) : undefined;
    if (set && !isSetOn(credential.assistants, set)) {
      throw new Problem('assistants.set_off', { set: toolSets[set].label });
    }
  }
  return asked;
}

const isOffered = ({ assistants }: Credential, type: EventType): boolean =>
  isSetOn(assistants, setOf(events[type].entity));

function recordIn(given: unknown, origin: string): string {
  const kinds = Object.keys(references).filter((name): name is ReferenceName => name in references);
  const id = kinds.map((kind) => idIn(given, kind, origin)).find((each) => each !== undefined);
  if (id === undefined) throw invalidField('record', 'field.invalid_format');
  return id;
}

function shownEvents(
  some: readonly unknown[],
  { hasMore, next }: { hasMore: boolean; next: string },
  measure: Measure,
): ShownPage {
  const told = some.map((event) => toldEvent(event, measure));
  const lines = told.map(({ time, type, record, name, changes = {} }) => {
    const which = name === undefined ? record : `${name} (${record})`;
    const changed = Object.entries(changes).map(([field, { old, new: now }]) => `${field} ${old} → ${now}`);
    return `- ${time} ${type} ${which}${changed.length === 0 ? '' : `: ${changed.join('; ')}`}`;
  });
  const text = [
    told.length === 0
      ? 'Nothing happened that you may read.'
      : `${told.length} ${told.length === 1 ? 'event' : 'events'}, oldest first:`,
    ...(lines.length === 0 ? [] : [enclosed(lines.join('\n'))]),
    `${hasMore ? 'There are more' : 'These are all so far; for what comes later'}: call what_changed again with the same types and record and cursor: "${next}".`,
  ].join('\n');
  return { text, structured: { events: told, has_more: hasMore, next_cursor: next } };
}

interface ToldEvent {
  time: string;
  type: string;
  record: string;
  name?: string;
  changes?: Record<string, { old: string; new: string }>;
}

function toldEvent(event: unknown, measure: Measure): ToldEvent {
  const { timestamp, type, data, previous, changed_fields: fields } = Object(event);
  const entity = isEventType(type) ? events[type].entity : String(type).split('.')[0];
  const name = nameOf(String(entity), data);
  const names = Array.isArray(fields) ? fields : Object.keys(Object(previous));
  const changes = names
    .slice(0, measure.entries)
    .map((field): [string, { old: string; new: string }] => [
      inOneLine(String(field), longest.name),
      { old: textOf(previous, field, measure), new: textOf(data, field, measure) },
    ]);
  return {
    time: String(timestamp),
    type: String(type),
    record: `${entity}:${idOf(data) ?? ''}`,
    ...(name === undefined ? {} : { name: inOneLine(name, longest.name) }),
    ...(changes.length === 0 ? {} : { changes: Object.fromEntries(changes) }),
  };
}

/** The value of a field in a word or two; "nothing" for one that is empty. */
function textOf(values: unknown, field: unknown, measure: Measure): string {
  const value = Reflect.get(Object(values), String(field));
  const named = typeof value === 'object' && value !== null && 'name' in value ? value.name : value;
  return inOneLine(valueText(shown(named, measure)), longest.value) || 'nothing';
}
