import {
  bareSchema,
  descriptionOf,
  type EventType,
  type EveryOperationId,
  everyOperation,
  isUpdate,
  type OperationDeclaration,
  references,
  type SystemOperationId,
} from '@dealkeep/contract';
import * as z from 'zod';
import type { Actor } from '../../identity/credentials/credential.ts';
import type { RequestOrigin } from '../../identity/credentials/request-origin.ts';
import { type AuditDetail, auditedActor } from '../audit/audit-log.ts';
import { changedValues, hidden } from '../audit/changed-values.ts';
import type { BookedEvent } from '../events/outbox.ts';
import { changedFields } from '../events/outbox.ts';
import type { ParsedRequest } from './parse-request.ts';
import type { AuditEntryWithEvents, AuditedWork } from './verb.ts';

/** An operation that was carried out. */
interface Ran {
  readonly id: EveryOperationId;
  readonly parsed: ParsedRequest;
  readonly actor: Actor;
  readonly from: RequestOrigin | undefined;
}

/** What an operation did, as the audit log tells it; nothing where nothing changed (rule audit 2). */
export function entriesOfWork(
  { id: operation, parsed, actor, from }: Ran,
  { result, described, events }: AuditedWork<unknown>,
): AuditEntryWithEvents[] {
  const declaration: OperationDeclaration = everyOperation[operation];
  const { resource, emits = [] } = declaration;
  const tellsOfChanges = emits.some((type) => isUpdate(type as EventType));
  if (tellsOfChanges && events.length === 0) return [];
  const detail = described.detail ?? detailOf(declaration, parsed, described.before, events);
  if (described.before && detail?.changes === undefined) return [];
  const record: Readonly<Record<string, unknown>> = Object(result);
  const [pathId] = Object.values(parsed.path);
  const id = described.id ?? pathId ?? record['id'] ?? record['uuid'];
  const name =
    described.name === undefined ? nameOf(resource, described.before, record, parsed.body) : described.name;
  return [
    {
      operation,
      resource,
      recordId: typeof id === 'string' && isUuid(id) ? id : null,
      recordName: name,
      detail,
      by: auditedActor(actor, from),
      events,
    },
  ];
}

/** What the clock did: an entry for each record that it tells of. */
export const entriesOfClock = (
  operation: SystemOperationId,
  actor: Actor,
  events: readonly BookedEvent[],
): AuditEntryWithEvents[] =>
  events.map((event) => ({
    operation,
    resource: everyOperation[operation].resource,
    recordId: 'id' in event.record ? event.record.id : event.record.uuid,
    recordName: nameOf(everyOperation[operation].resource, event.record),
    by: auditedActor(actor),
    events: [event],
  }));

const uuid = z.uuid();
const isUuid = (text: string): boolean => uuid.safeParse(text).success;

/** What a record is called: the first name that one of these has. */
function nameOf(resource: string, ...records: readonly unknown[]): string | null {
  const names = Object.entries(references).find(([name]) => name === resource)?.[1];
  const paths = names && 'names' in names ? names.names : ['name', 'number'];
  for (const record of records) {
    for (const path of paths) {
      const value = path
        .split('.')
        .reduce<unknown>((within, key) => Reflect.get(Object(within), key), record);
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  return null;
}

/** Of a record the names of fields that changed, of settings their values. */
function detailOf(
  { ownersOnly, body }: OperationDeclaration,
  parsed: ParsedRequest,
  before: object | undefined,
  events: readonly BookedEvent[],
): AuditDetail | undefined {
  if (ownersOnly || before) {
    const changes = body ? changesOf(body, Object(parsed.body), before) : {};
    return Object.keys(changes).length > 0 ? { changes } : undefined;
  }
  const update = events.find((event) => isUpdate(event.type) && event.before);
  return update?.before ? { fields: changedFields(update.before, update.record) } : undefined;
}

/** What the fields of a body were and are, as far as they differ; a secret is not told. */
function changesOf(
  schema: z.ZodObject,
  body: object,
  before: object = {},
): NonNullable<AuditDetail['changes']> {
  const isSecret = ([name]: [string, unknown]): boolean => {
    const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    return field !== undefined && holdsSecret(field);
  };
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  const secrets = given.filter(isSecret).map(([name]) => [name, [hidden, hidden]]);
  const told = given.filter((each) => !isSecret(each));
  return { ...changedValues(before, Object.fromEntries(told)), ...Object.fromEntries(secrets) };
}

/** Whether a field is a secret, or has a part that is. */
function holdsSecret(field: z.core.$ZodType): boolean {
  if (descriptionOf(field)?.secret) return true;
  const { bare } = bareSchema(field);
  if (bare instanceof z.ZodArray) return holdsSecret(bare.element);
  return bare instanceof z.ZodObject && Object.values(bare.shape).some(holdsSecret);
}
