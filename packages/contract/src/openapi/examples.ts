import type * as z from 'zod';
import { bareSchema, descriptionOf } from '../field.ts';
import type { OperationDeclaration } from '../operation.ts';
import { exampleOf, sampleEnvelope } from '../sample.ts';
import * as shapes from '../shapes.ts';

/** The organization of every example. */
export const exampleOrganization = { id: String(exampleOf(shapes.id)), slug: 'tatra-studio' };

/**
 * A body that an operation accepts: all required fields and some optional ones, without such that exclude each
 * other. Undefined for an operation without a body.
 */
export function requestExample({ id, body }: OperationDeclaration): unknown {
  if (!body) return undefined;
  const shown = Object.entries(body.shape).filter(([key, field]: [string, z.ZodType]) => {
    if (!bareSchema(field).optional) return true;
    if (id === 'webhooks.create') return key === 'events';
    const description = descriptionOf(field);
    return description?.example !== undefined && !description.reference;
  });
  return Object.fromEntries(shown.map(([key, field]) => [key, exampleOf(field)]));
}

/** The whole body of a usual success; undefined where it has none. */
export function answerExample({ answer, shape }: OperationDeclaration): unknown {
  if (!answer) return undefined;
  if (shape === 'bare') return [sampleEnvelope('lead.created', exampleOrganization)];
  const example = exampleOf(answer);
  return shape === 'list' ? { data: [example], next_cursor: null, has_more: false } : { data: example };
}
