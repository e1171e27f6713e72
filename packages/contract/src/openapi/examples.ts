import * as z from 'zod';
import { bareSchema, descriptionOf, formsOf } from '../field.ts';
import type { OperationDeclaration } from '../operation.ts';
import { Envelope } from '../resources/webhooks.ts';
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

/**
 * The example of a sent object: its required fields and those optional ones that name nothing which only some
 * organization has: another record, or a custom field.
 */
function sentExample(schema: z.core.$ZodType): unknown {
  const { bare } = bareSchema(schema);
  const [form] = formsOf(bare) ?? [];
  if (form) return sentExample(form);
  if (bare instanceof z.ZodArray) {
    const { bare: element } = bareSchema(bare.element);
    if (element instanceof z.ZodObject || formsOf(element)) return [sentExample(bare.element)];
  }
  if (!(bare instanceof z.ZodObject)) return exampleOf(schema);
  const shown = Object.entries(bare.shape).filter(([, field]) => {
    const { bare: value, optional } = bareSchema(field);
    if (!optional) return true;
    if (value instanceof z.ZodRecord) return false;
    const { example, reference, notBeside, inExamples } = descriptionOf(field) ?? {};
    if (inExamples !== undefined) return inExamples;
    const isBeside = notBeside !== undefined && Object.hasOwn(bare.shape, notBeside);
    return example !== undefined && !reference && !isBeside;
  });
  return Object.fromEntries(shown.map(([key, field]) => [key, sentExample(field)]));
}

/** The whole body of a usual success; undefined where it has none. */
export function answerExample({ answer, shape, endless }: OperationDeclaration): unknown {
  if (!answer) return undefined;
  if (shape === 'bare') return bareExample(answer);
  const example = recordExample(answer);
  return shape === 'list' ? pageExample(example, endless) : { data: example };
}

/** What stands alone: the samples of an event, or an object. */
export const bareExample = (answer: z.ZodType): unknown =>
  answer instanceof z.ZodObject ? exampleOf(answer) : [sampleEnvelope('lead.created', exampleOrganization)];

/** A page of a list that holds one record. */
export const pageExample = (record: unknown, endless = false) => ({
  data: [record],
  next_cursor: endless ? exampleCursor : null,
  has_more: false,
});

const exampleCursor = 'ZPVQsJMcAgnNFBF3-Grz61siMSAxNjIzIDE3OTUzNzg0NTg5MDYiLCJldnRfMDFhMiJd';

/** A record as an operation answers it. */
export const recordExample = (answer: z.ZodType): unknown =>
  answer === Envelope
    ? { ...sampleEnvelope('lead.created', exampleOrganization), test: false }
    : exampleOf(answer);
