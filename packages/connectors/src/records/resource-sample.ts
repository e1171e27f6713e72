import { exampleOf, isEventType, type OperationDeclaration, sampleData } from '@dealkeep/contract';
import * as z from 'zod';
import { answeredSchema } from '../registry.ts';
import type { ApiRecord } from './api-record.ts';
import { sampleOf } from './sample-of.ts';

/** A believable record of a resource: as its `created` event shows it where there is one. */
export const resourceSample = (resource: string): ApiRecord => sampleFor(resource, answeredSchema(resource));

/** The record as an operation answers it, which can say more than a GET does: what became of it. */
export const answerOf = ({ resource, answer }: OperationDeclaration): z.ZodObject =>
  answer instanceof z.ZodObject ? answer : answeredSchema(resource);

/** A believable record as an operation answers it. */
export const answerSample = (operation: OperationDeclaration, withOptional: boolean): ApiRecord =>
  sampleFor(operation.resource, answerOf(operation), withOptional);

function sampleFor(resource: string, schema: z.ZodObject, withOptional = false): ApiRecord {
  const type = `${resource}.created`;
  const example = exampleOf(schema);
  return sampleOf(
    schema,
    isEventType(type) ? { ...Object(example), ...sampleData(type) } : example,
    withOptional,
  );
}
