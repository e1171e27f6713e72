import {
  bareSchema,
  descriptionOf,
  events,
  isEventType,
  isRecordReference,
  type OperationDeclaration,
  type RecordReference,
  resources,
} from '@dealkeep/contract';
import * as z from 'zod';
import { isLimited, type Looking, seenAmong, sightOf } from './sight.ts';
import { StoredJson } from './verb.ts';

/** Whether a record that is referred to is shown. */
type IsSeen = (kind: RecordReference, id: string) => boolean;

/**
 * An answer without what its reader may not see of the records that it refers to (rule scopes 13): where the
 * contract says that a value refers to a record, it is null. Only what a record is called by stays, as the company's
 * name of a client.
 */
export async function withSeenReferences(
  looking: Looking,
  { answer, shape }: OperationDeclaration,
  result: unknown,
): Promise<unknown> {
  // An event of the feed is the text that its webhooks are sent (rule scopes 14).
  if (!isLimited(looking.actor) || !answer || result instanceof StoredJson) return result;
  if (shape !== 'list') return seenPart(looking, answer, result);
  const page: Readonly<Record<string, unknown>> = Object(result);
  return { ...page, data: await seenPart(looking, z.array(answer), page['data']) };
}

/** The data of an event's record, as a list of events shows it to whoever reads it. */
export async function seenRecord<Data extends object>(
  looking: Looking,
  type: string,
  data: Data,
): Promise<Data> {
  if (!isLimited(looking.actor) || !isEventType(type)) return data;
  const seen = await seenPart(looking, resources[events[type].entity].schema, data);
  // It has the same fields, of which some are null.
  return Object(seen);
}

async function seenPart(looking: Looking, schema: z.core.$ZodType, value: unknown): Promise<unknown> {
  const referred = new Map<RecordReference, Set<string>>();
  // The first time nothing is left out: it is only found what is referred to.
  show(schema, value, (kind, id) => {
    if (sightOf(looking.actor, kind) === 'own') {
      referred.set(kind, (referred.get(kind) ?? new Set()).add(id));
    }
    return true;
  });
  const own = new Map<RecordReference, ReadonlySet<string>>();
  for (const [kind, ids] of referred) own.set(kind, await seenAmong(looking, kind, [...ids]));
  return show(schema, value, (kind, id) => {
    const sight = sightOf(looking.actor, kind);
    return sight === 'all' || (sight === 'own' && own.get(kind)?.has(id) === true);
  });
}

/** The value, with null for what refers to records that are not seen. */
function show(schema: z.core.$ZodType, value: unknown, isSeen: IsSeen): unknown {
  const { bare } = bareSchema(schema);
  if (bare instanceof z.ZodArray) {
    return Array.isArray(value) ? value.map((each: unknown) => show(bare.element, each, isSeen)) : value;
  }
  const { refersTo, namesRecord } = descriptionOf(schema) ?? {};
  const id = typeof value === 'string' ? value : Reflect.get(Object(value), 'id');
  if (
    refersTo !== undefined &&
    isRecordReference(refersTo) &&
    typeof id === 'string' &&
    !isSeen(refersTo, id)
  ) {
    return namesRecord ? nameOnly(Object(value)) : null;
  }
  if (!(bare instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value;
  return isEnvelope(bare) ? showEvent(Object(value), isSeen) : showObject(bare, Object(value), isSeen);
}

function showObject(
  schema: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
  isSeen: IsSeen,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) {
    const field = schema.shape[name];
    shown[name] = field ? show(field, each, isSeen) : each;
  }
  for (const [name, field] of Object.entries(schema.shape)) {
    const { takenFrom } = descriptionOf(field) ?? {};
    if (takenFrom?.every((from) => shown[from] == null) && name in shown) shown[name] = null;
  }
  return shown;
}

/** What is left of a record that is not seen where the one that refers to it has no other name. */
const nameOnly = (value: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === 'id' || name === 'name' ? each : null]),
  );

const isEnvelope = ({ shape }: z.ZodObject): boolean =>
  'data' in shape && 'type' in shape && descriptionOf(shape['type'])?.eventType === true;

/** An event tells its record as it is and, of a change, what was before: both by the schema of the record. */
function showEvent(
  event: Readonly<Record<string, unknown>>,
  isSeen: IsSeen,
): Readonly<Record<string, unknown>> {
  const { type, data, previous } = event;
  if (typeof type !== 'string' || !isEventType(type)) return event;
  const { schema } = resources[events[type].entity];
  return {
    ...event,
    data: show(schema, data, isSeen),
    ...(previous === undefined ? {} : { previous: show(schema, previous, isSeen) }),
  };
}
