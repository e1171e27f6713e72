import * as z from 'zod';
import type { OperationDeclaration } from './operation.ts';
import * as field from './scalars.ts';
import { id, uuid } from './shapes.ts';
import { text } from './text.ts';

const known = {
  id,
  uuid,
  type: field.string({
    label: text('Event Type', 'Typ udalosti'),
    help: text('Type of an event, as the catalog lists it.', 'Typ udalosti podľa katalógu.'),
    example: 'lead.created',
  }),
};

/** The parameters in the path of an operation, as an object schema in their order. */
export function pathParameters({ path }: Pick<OperationDeclaration, 'path'>): z.ZodObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return z.object(Object.fromEntries(names.map((name) => [name, parameterNamed(name)])));
}

function parameterNamed(name: string): z.ZodType {
  const parameter = Object.entries(known).find(([each]) => each === name)?.[1];
  if (!parameter) throw new Error(`No path parameter is called ${name}`);
  return parameter;
}
