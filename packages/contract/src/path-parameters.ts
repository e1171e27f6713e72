import * as z from 'zod';
import type { OperationDeclaration } from './operation.ts';
import { isRecordName, records } from './records.ts';
import { deliveryId } from './resources/deliveries.ts';
import * as field from './scalars.ts';
import { exampleRef, idOf, uuidOf } from './shapes.ts';
import { text } from './text.ts';

/** What the examples call the records of a resource, where it is something else. */
const calledInExamples: Readonly<Record<string, keyof typeof exampleRef>> = {
  webhook: 'hook',
  // A delivery is found below its hook.
  delivery: 'hook',
  'lead-origin': 'origin',
  'lost-reason': 'lostReason',
  'custom-field': 'customField',
  'activity-type': 'activityType',
  'product-category': 'productCategory',
  'booking-service': 'service',
  'booking-staff': 'staff',
};

/** The record of the examples that an address of a resource names. */
function exampleOf(resource: string): { readonly id: string } {
  if (isRecordName(resource)) return records[resource].example;
  const name = calledInExamples[resource] ?? resource;
  const found = Object.entries(exampleRef).find(([each]) => each === name)?.[1];
  if (!found) throw new Error(`No record of the examples is a ${resource}`);
  return found;
}

/** What names an event; it is no record of the business. */
const eventId = field.string({
  label: text('Event ID', 'ID udalosti'),
  help: text('The same as the header webhook-id.', 'Rovnaké ako hlavička webhook-id.'),
  example: 'evt_01985f6e2c4170aa8f53d2b6914ce7a0',
});

const known: Readonly<Record<string, (resource: string) => z.ZodType>> = {
  id: (resource) => (resource === 'event' ? eventId : idOf(exampleOf(resource))),
  uuid: (resource) => uuidOf(exampleOf(resource)),
  delivery_id: () => deliveryId,
  type: () => eventType,
};

const eventType = field.string({
  label: text('Event Type', 'Typ udalosti'),
  help: text('Type of an event, as the catalog lists it.', 'Typ udalosti podľa katalógu.'),
  example: 'lead.created',
  eventType: true,
});

type Addressed = Pick<OperationDeclaration, 'path' | 'resource'>;

/**
 * Declarations do not change, and a schema is asked for with every call: making one costs as much as reading a
 * record.
 */
const made = new WeakMap<Addressed, z.ZodObject>();

/** The parameters in the path of an operation, as an object schema in their order. */
export function pathParameters(declaration: Addressed): z.ZodObject {
  const schema = made.get(declaration) ?? schemaOf(declaration);
  made.set(declaration, schema);
  return schema;
}

function schemaOf({ path, resource }: Addressed): z.ZodObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return z.object(Object.fromEntries(names.map((name) => [name, parameterNamed(name, resource)])));
}

function parameterNamed(name: string, resource: string): z.ZodType {
  const parameter = known[name];
  if (!parameter) throw new Error(`No path parameter is called ${name}`);
  return parameter(resource);
}
