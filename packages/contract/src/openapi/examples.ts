import * as z from 'zod';
import { bareSchema, descriptionOf } from '../field.ts';
import type { OperationDeclaration } from '../operation.ts';
import { exampleOf, sampleEnvelope } from '../sample.ts';
import { exampleRef } from '../shapes.ts';

/** The organization of every example. */
export const exampleOrganization = { id: exampleRef.organization.id, slug: 'tatra-studio' };

/**
 * A body that an operation accepts: all required fields and some optional ones, without such that exclude each
 * other. Undefined for an operation without a body.
 */
export function requestExample({ body }: OperationDeclaration): unknown {
  if (!body) return undefined;
  const [example] = bodyExamples(body);
  return example;
}

/** Examples of a sent object; where one field of several must stand alone, one for each of them. */
export function bodyExamples(body: z.ZodObject): unknown[] {
  const { fields = [], alone = false } = descriptionOf(body)?.oneOf ?? {};
  if (!alone) return [sentExample(body)];
  return fields.map((given) => {
    const others = fields.filter((each) => each !== given).map((each) => [each, true as const]);
    return sentExample(body.omit(Object.fromEntries(others)));
  });
}

/** The example of a sent object: its required fields and those optional ones that name no other record. */
function sentExample(schema: z.core.$ZodType): unknown {
  const { bare } = bareSchema(schema);
  if (bare instanceof z.ZodArray && bareSchema(bare.element).bare instanceof z.ZodObject) {
    return [sentExample(bare.element)];
  }
  if (!(bare instanceof z.ZodObject)) return exampleOf(schema);
  const shown = Object.entries(bare.shape).filter(([, field]) => {
    if (!bareSchema(field).optional) return true;
    const description = descriptionOf(field);
    return description?.example !== undefined && !description.reference;
  });
  return Object.fromEntries(shown.map(([key, field]) => [key, sentExample(field)]));
}

/** The whole body of a usual success; undefined where it has none. */
export function answerExample({ answer, shape }: OperationDeclaration): unknown {
  if (!answer) return undefined;
  if (shape === 'bare') return [sampleEnvelope('lead.created', exampleOrganization)];
  const example = exampleOf(answer);
  return shape === 'list' ? { data: [example], next_cursor: null, has_more: false } : { data: example };
}
