import * as z from 'zod';
import type { OperationDeclaration } from './operation.ts';
import * as field from './scalars.ts';
import { exampleRef, idOf, uuidOf } from './shapes.ts';
import { text } from './text.ts';

/** The record of the examples that an address of a resource names. */
function exampleOf(resource: string): { readonly id: string } {
  const name = resource === 'webhook' ? 'hook' : resource;
  const found = Object.entries(exampleRef).find(([each]) => each === name)?.[1];
  if (!found) throw new Error(`No record of the examples is a ${resource}`);
  return found;
}

const known: Readonly<Record<string, (resource: string) => z.ZodType>> = {
  id: (resource) => idOf(exampleOf(resource)),
  uuid: (resource) => uuidOf(exampleOf(resource)),
  type: () => eventType,
};

const eventType = field.string({
  label: text('Event Type', 'Typ udalosti'),
  help: text('Type of an event, as the catalog lists it.', 'Typ udalosti podľa katalógu.'),
  example: 'lead.created',
  eventType: true,
});

/** The parameters in the path of an operation, as an object schema in their order. */
export function pathParameters({
  path,
  resource,
}: Pick<OperationDeclaration, 'path' | 'resource'>): z.ZodObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return z.object(Object.fromEntries(names.map((name) => [name, parameterNamed(name, resource)])));
}

function parameterNamed(name: string, resource: string): z.ZodType {
  const parameter = known[name];
  if (!parameter) throw new Error(`No path parameter is called ${name}`);
  return parameter(resource);
}
