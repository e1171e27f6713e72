import * as z from 'zod';
import { describe } from '../field.ts';
import { limits } from '../limits.ts';
import { ownerOperation } from '../operation.ts';
import * as field from '../scalars.ts';
import { exampleRef, idOf, record } from '../shapes.ts';
import { text } from '../text.ts';

export const auditEntryLabel = text('Audit Log Entry', 'Záznam auditu');

const at = { label: text('When', 'Kedy'), example: '2026-10-01T12:00:00.000Z' };
const operation = { label: text('What', 'Čo'), example: 'leads.archive' };
const resource = { label: text('Kind of record', 'Druh záznamu'), example: 'lead' };
const recordId = { label: text('Record', 'Záznam'), example: exampleRef.lead.id };
const recordName = { label: text('Name of the record', 'Názov záznamu'), example: exampleRef.lead.name };
const actorId = { label: text('Who', 'Kto'), example: '01985f6e-2c41-7a10-8c3e-1b5a9d40c2f8' };
const viaId = {
  label: text('Key or app', 'Kľúč alebo aplikácia'),
  example: '01985f6e-2c41-7a6d-92c8-0e5b71f4d3aa',
};

/** Who or what acts. */
export const actorKinds = {
  user: text('People', 'Ľudia'),
  key: text('API keys', 'API kľúče'),
  connection: text('Connected apps', 'Pripojené aplikácie'),
  assistant: text('AI assistants', 'AI asistenti'),
  operator: text('The operator', 'Prevádzkovateľ'),
  system: text('Dealkeep itself', 'Samotný Dealkeep'),
} as const;

const actorKind = field.choice({ label: text('Kind of actor', 'Druh pôvodcu'), choices: actorKinds });
const via = field.choice({
  label: text('By way of', 'Cez'),
  choices: {
    console: text('Console', 'Konzola'),
    import: text('Import', 'Import'),
    key: text('API key', 'API kľúč'),
    connection: text('Connected app', 'Pripojená aplikácia'),
  },
});

/** Somebody did something. Never changed, but for names that are erased. */
export const AuditEntry = record(
  'AuditEntry',
  { label: auditEntryLabel },
  {
    id: idOf({ id: '01985f6e-2c41-7d11-8f03-6a2b9c40e7d5' }),
    at: field.dateTime(at),
    operation: field.string(operation),
    resource: field.string(resource),
    record_id: field.uuid(recordId).nullable(),
    record_name: field.string(recordName).nullable(),
    actor_kind: actorKind,
    actor_id: field.uuid(actorId).nullable(),
    actor_name: field.string({ label: text('Name', 'Meno'), example: exampleRef.user.name }).nullable(),
    via: via.nullable(),
    via_id: field.uuid(viaId).nullable(),
    via_name: field
      .string({ label: text('Name of the key or app', 'Názov kľúča alebo aplikácie'), example: 'Zapier' })
      .nullable(),
    address: field.string({ label: text('IP address', 'IP adresa'), example: '192.0.2.1' }).nullable(),
    program: field
      .string({ label: text('Program', 'Program'), example: 'n8n-nodes-dealkeep/1.0.0' })
      .nullable(),
    request_id: field.string({ label: text('Request', 'Požiadavka'), example: '6f1c2f0e' }).nullable(),
    detail: describe(z.record(z.string(), z.unknown()), {
      label: text('Details', 'Podrobnosti'),
      example: { fields: ['value'] },
    }).nullable(),
  },
);

export const auditOwnerOperations = {
  'audit-entries.list': ownerOperation({
    id: 'audit-entries.list',
    resource: 'audit-entry',
    kind: 'list',
    method: 'GET',
    path: '/settings/audit-log',
    query: z.strictObject({
      limit: describe(z.int().min(1).max(limits.auditEntriesPerPage), {
        label: text('Limit', 'Počet'),
        example: limits.pageSizeDefault,
        default: limits.pageSizeDefault,
      }).optional(),
      cursor: describe(z.string(), {
        label: text('Cursor', 'Kurzor'),
        maxLength: limits.cursorLength,
      }).optional(),
      actor_id: field.uuid(actorId).optional(),
      actor_kind: actorKind.optional(),
      via_id: field.uuid(viaId).optional(),
      resource: field.string(resource).optional(),
      operation: field.string(operation).optional(),
      record_id: field.uuid(recordId).optional(),
      since: field.dateTime({ ...at, label: text('From', 'Od') }).optional(),
      until: field.dateTime({ ...at, label: text('To', 'Do') }).optional(),
    }),
    answer: AuditEntry,
    shape: 'list',
    errors: [],
    withoutSubscription: true,
    title: text('Read the audit log', 'Čítať záznam auditu'),
    about: text(
      'Who did what, newest first; kept for a year.',
      'Kto čo urobil, od najnovšieho; uchováva sa rok.',
    ),
  }),
};
