import {
  dataSchemaOf,
  errorStatus,
  events,
  eventTypes,
  fieldError,
  type OperationDeclaration,
  operations,
  resources,
} from '@dealkeep/contract';
import { routeOf, routes } from '../src/registry.ts';
import { comment, literal, SchemaPrinter } from './print-schema.ts';

/**
 * What stands in the place of src/registry.ts and src/records.ts in the published package: the same types and the same
 * table, without the contract and zod, and with the descriptions of operations and fields as documentation comments.
 */
export function printContract(): { registry: string; records: string } {
  const printer = new SchemaPrinter();
  const namespaces = Map.groupBy(
    Object.values<OperationDeclaration>(operations),
    (each) => routeOf(each).namespace,
  );
  const registry = [...namespaces].map(([namespace, members]) => {
    const rows = members.map((operation) => row(operation, printer)).join('');
    return `${comment(namespaceSentence(members))}${namespace}: {\n${rows}};\n`;
  });
  const eventData = eventTypes.map(
    (type) => `${comment(events[type].description.en)}'${type}': ${printer.print(dataSchemaOf(type))};\n`,
  );
  const names = [...printer.declarations.keys()].sort();
  return {
    records: [...printer.declarations.values()].join('\n'),
    registry: `
import type { ${names.join(', ')} } from './records.ts';
import type { Route } from './route.ts';

export type { WebhookEnvelope } from './records.ts';

/** Every operation as \`dealkeep.{namespace}.{name}\` offers it, with the types that go in and come out. */
export interface Registry {
${registry.join('\n')}}

/** The \`data\` of every event's envelope: the record as its GET answers it. */
export interface EventData {
${eventData.join('')}}

export type EventType = keyof EventData;

/** Every error code of the API. */
export type ErrorCode = ${Object.keys(errorStatus).map(literal).join(' | ')};

/** One failing field of a 422 \`VALIDATION_ERROR\`: where, why, and in words. */
export interface FieldError { ${members(fieldError({ path: '', key: 'field.required' }, 'en'))} }

export const routes: readonly Route[] = ${JSON.stringify(routes, null, 2)};
`,
  };
}

function row(operation: OperationDeclaration, printer: SchemaPrinter): string {
  const { namespace, name } = routeOf(operation);
  const parameters = [...operation.path.matchAll(/\{(\w+)\}/g)].map(
    ([, parameter]) => `${parameter}: string`,
  );
  const queryName = `${capitalized(namespace)}${capitalized(name)}Query`;
  const query = operation.query
    ? printer.printNamed(queryName, `The query of \`${namespace}.${name}\`.`, operation.query)
    : 'undefined';
  const scope = operation.scope ? ` Scope: \`${operation.scope}\`.` : '';
  return `${comment(`${operation.title.en}. ${operation.about.en}${scope}`)}${name}: {
    method: ${literal(operation.method)};
    parameters: [${parameters.join(', ')}];
    query: ${query};
    body: ${operation.body ? printer.print(operation.body) : 'undefined'};
    answer: ${operation.answer ? printer.print(operation.answer) : 'undefined'};
    shape: ${literal(operation.shape)};
  };\n`;
}

function namespaceSentence([first]: readonly OperationDeclaration[]): string {
  const resource = Object.entries(resources).find(([name]) => name === first?.resource)?.[1];
  return `${resource?.plural.en ?? ''}.`;
}

const members = (value: object): string =>
  Object.entries(value)
    .map(([name, member]) => `${name}: ${typeof member};`)
    .join(' ');

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
