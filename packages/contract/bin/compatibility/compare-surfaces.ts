import { broken, missing } from './break.ts';
import { SchemaComparison } from './compare-schemas.ts';
import type { Event, Operation, Surface } from './surface.ts';

/** What a contract takes from clients of the one that was released, a sentence each; empty when it only adds. */
export function breaksBetween(before: Surface, after: Surface): string[] {
  const schemas = new SchemaComparison(before.schemas, after.schemas);
  const error = '#/components/schemas/Error';
  return [
    ...(before.version === after.version
      ? []
      : [broken('The version of the API', `${before.version} became ${after.version}`, 'gone')]),
    ...missing(before.scopes, after.scopes).map((scope) => broken(`The scope ${scope}`, 'is gone', 'gone')),
    ...Object.entries(before.operations).flatMap(([where, old]) => {
      const now = after.operations[where];
      return now === undefined
        ? [broken(where, 'is gone', 'gone')]
        : compareOperations(where, old, now, schemas);
    }),
    ...Object.entries(before.events).flatMap(([type, old]) => {
      const now = after.events[type];
      const where = `The event ${type}`;
      return now === undefined ? [broken(where, 'is gone', 'gone')] : compareEvents(where, old, now, schemas);
    }),
    ...schemas.compare('An error', { $ref: error }, { $ref: error }, 'received'),
  ];
}

function compareOperations(
  where: string,
  before: Operation,
  after: Operation,
  schemas: SchemaComparison,
): string[] {
  return [
    ...(before.id === after.id
      ? []
      : [
          broken(
            where,
            `is called ${after.id} instead of ${before.id}, and so are methods of clients`,
            'gone',
          ),
        ]),
    ...(after.scope === null || before.scope === after.scope
      ? []
      : [
          broken(where, `asks for the scope ${after.scope} instead of ${before.scope ?? 'none'}`, 'demanded'),
        ]),
    ...missing(after.permissions, before.permissions).map((permission) =>
      broken(where, `asks for the permission ${permission}`, 'demanded'),
    ),
    ...compareParameters(where, before.parameters, after.parameters, schemas),
    ...compareBodies(where, before.body, after.body, schemas),
    ...compareAnswers(where, before.answers, after.answers, schemas),
    ...Object.entries(before.errors).flatMap(([code, status]) => {
      const now = after.errors[code];
      if (now === undefined) return [broken(where, `the error ${code} is gone`, 'gone')];
      return now === status
        ? []
        : [broken(where, `the error ${code} has the status ${now} instead of ${status}`, 'answered')];
    }),
    ...missing(before.emits, after.emits).map((type) => broken(where, `no longer causes ${type}`, 'gone')),
  ];
}

function compareParameters(
  where: string,
  before: Operation['parameters'],
  after: Operation['parameters'],
  schemas: SchemaComparison,
): string[] {
  const place = (name: string): string => `${where}, ${name}`;
  return [
    ...Object.entries(before).flatMap(([name, old]) => {
      const now = after[name];
      if (now === undefined) return [broken(place(name), 'is gone', 'gone')];
      return [
        ...(now.required && !old.required ? [broken(place(name), 'became required', 'required')] : []),
        ...schemas.compare(place(name), old.schema, now.schema, 'sent'),
      ];
    }),
    ...Object.entries(after)
      .filter(([name, { required }]) => required && !(name in before))
      .map(([name]) => broken(place(name), 'is new and required', 'required')),
  ];
}

function compareBodies(
  where: string,
  before: Operation['body'],
  after: Operation['body'],
  schemas: SchemaComparison,
): string[] {
  const place = `${where}, body`;
  if (!before) return after?.required ? [broken(place, 'is new and required', 'required')] : [];
  if (!after) return [broken(place, 'is no longer taken', 'gone')];
  return [
    ...(after.required && !before.required ? [broken(place, 'became required', 'required')] : []),
    ...missing(before.types, after.types).map((type) =>
      broken(place, `no longer comes as ${type}`, 'narrowed'),
    ),
    ...schemas.compare(place, before.schema, after.schema, 'sent'),
  ];
}

function compareAnswers(
  where: string,
  before: Operation['answers'],
  after: Operation['answers'],
  schemas: SchemaComparison,
): string[] {
  return [
    ...Object.entries(before).flatMap(([status, old]) => {
      const place = `${where}, answer ${status}`;
      const now = after[status];
      if (now === undefined) return [broken(place, 'is gone', 'gone')];
      return [
        ...missing(old.headers, now.headers).map((name) =>
          broken(place, `the header ${name} is gone`, 'gone'),
        ),
        ...(old.schema !== null && now.schema === null ? [broken(place, 'has no body', 'gone')] : []),
        ...(old.schema !== null && now.schema !== null
          ? schemas.compare(place, old.schema, now.schema, 'received')
          : []),
      ];
    }),
    // Another success than those that a client was told of; a 304 comes to who asks for it alone.
    ...missing(Object.keys(after), Object.keys(before))
      .filter((status) => status.startsWith('2'))
      .map((status) => broken(where, `succeeds with ${status}, too`, 'answered')),
  ];
}

function compareEvents(where: string, before: Event, after: Event, schemas: SchemaComparison): string[] {
  return [
    ...(before.scope === after.scope
      ? []
      : [broken(where, `asks for the scope ${after.scope} instead of ${before.scope}`, 'demanded')]),
    ...missing(before.watchable, after.watchable).map((field) =>
      broken(where, `changed_fields no longer names ${field}`, 'gone'),
    ),
    ...schemas.compare(where, before.schema, after.schema, 'received'),
  ];
}
