import {
  bareSchema,
  descriptionOf,
  limits,
  type OperationDeclaration,
  operationIds,
  operations,
} from '@dealkeep/contract';
import * as z from 'zod';
import { idsOf, type KnownBusiness, pathOn } from '../known-records.ts';

export interface Field {
  path: (string | number)[];
  schema: z.core.$ZodType;
}

/** The fields of a body, those of inline objects and of the first item of a list with their paths. */
export function fieldsOf(body: z.ZodObject, path: Field['path'] = []): Field[] {
  return Object.entries(body.shape).flatMap(([name, schema]) => {
    const { bare } = bareSchema(schema);
    const own = { path: [...path, name], schema };
    if (bare instanceof z.ZodObject) return [own, ...fieldsOf(bare, own.path)];
    const item = bare instanceof z.ZodArray ? bareSchema(bare.element).bare : undefined;
    return item instanceof z.ZodObject ? [own, ...fieldsOf(item, [...own.path, 0])] : [own];
  });
}

/** The operations that take a body, each on a known record with the least that it takes. */
export const bodiesOf = (business: KnownBusiness) =>
  operationIds.flatMap((id) => {
    const declaration: OperationDeclaration = operations[id];
    const { body, method, resource } = declaration;
    if (!body) return [];
    const path = pathOn(declaration, idsOf(business.known, resource)[0] ?? '');
    return [{ id, declaration, method, path, body, base: business.leastBody(declaration) }];
  });

/** Around a field of one of them, so that nothing else is wrong with the lead. */
export const inlineRecords = { company: { name: 'Acme' }, contact: { name: 'Eva' } };

/** Fields whose only limit is their length. */
export const limitedIn = (fields: readonly Field[]): Field[] =>
  fields.filter(({ path: names, schema }) => {
    const { maxLength, format } = descriptionOf(schema) ?? {};
    // These have a form of their own.
    return (
      maxLength !== undefined && !format && !['currency', 'due_time', 'event'].includes(String(names.at(-1)))
    );
  });

/** A text without a length of its own is measured in bytes. */
export const isLarge = ({ schema }: Field): boolean => descriptionOf(schema)?.maxLength === limits.textBytes;

export function longest(field: Field, letter: string): string {
  const { maxLength = 0, opens } = descriptionOf(field.schema) ?? {};
  const length = isLarge(field) ? maxLength / Buffer.byteLength(letter) : maxLength;
  const start = opens ? 'https://a.example/' : '';
  return start + letter.repeat(length - start.length);
}

/** What a field of an inline record needs beside it. */
export const inlineFor = ({ path: [record] }: Field): object => {
  if (record === 'contact') return inlineRecords;
  return record === 'company' ? { company: inlineRecords.company } : {};
};
