import { bareSchema, descriptionOf, formsOf } from '@dealkeep/contract';
import fc from 'fast-check';
import * as z from 'zod';

/** Ids that a reference may name, by its name among the contract's references. */
export type KnownIds = Readonly<Record<string, readonly string[]>>;

/**
 * Values that a schema of the contract accepts, by its shape and its limits. References name one of the known ids,
 * or nobody.
 */
export function arbitraryInput(schema: z.core.$ZodType, known: KnownIds = {}): fc.Arbitrary<unknown> {
  const { bare, nullable } = bareSchema(schema);
  const value = bareArbitrary(schema, bare, known);
  return nullable ? fc.option(value, { nil: null, freq: 8 }) : value;
}

/** One for each length: fast-check takes its time to make one. */
const texts = new Map<number, fc.Arbitrary<string>>();

function anyText(maxLength = 400): fc.Arbitrary<string> {
  const made =
    texts.get(maxLength) ??
    fc
      .string({ unit: 'binary', maxLength })
      .map((text) => text.replaceAll('\0', ' '))
      .filter((text) => [...text].length <= maxLength);
  texts.set(maxLength, made);
  return made;
}

function bareArbitrary(
  schema: z.core.$ZodType,
  bare: z.core.$ZodType,
  known: KnownIds,
): fc.Arbitrary<unknown> {
  const { reference, maxLength, minLength, format } = descriptionOf(schema) ?? {};
  if (bare instanceof z.ZodObject) return arbitraryObject(bare, known);
  const forms = formsOf(bare);
  if (forms) return fc.oneof(...forms.map((form) => arbitraryInput(form, known)));
  if (bare instanceof z.ZodArray) {
    const minLength = z.safeParse(bare, []).success ? 0 : 1;
    return fc.array(arbitraryInput(bare.element, known), { minLength, maxLength: 5 });
  }
  if (bare instanceof z.ZodEnum) return fc.constantFrom(...bare.options);
  if (bare instanceof z.ZodBoolean) return fc.boolean();
  if (bare instanceof z.ZodUUID) {
    const ids = reference ? (known[reference] ?? []) : [];
    return ids.length > 0
      ? fc.oneof({ arbitrary: fc.constantFrom(...ids), weight: 60 }, fc.uuid({ version: 7 }))
      : fc.uuid({ version: 7 });
  }
  if (bare instanceof z.ZodISODate) return isoDate;
  if (bare instanceof z.ZodISODateTime) return moment.map((date) => date.toISOString());
  if (bare instanceof z.ZodNumber) return arbitraryNumber(bare);
  if (format === 'email') return fc.emailAddress();
  if (format === 'uri') return fc.webUrl();
  if (minLength)
    return anyText(maxLength).map((text) => `${text.slice(0, (maxLength ?? 100) - 1).toWellFormed()}x`);
  return anyText(maxLength);
}

const moment = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });
const isoDate = moment.map((date) => date.toISOString().slice(0, 10));

function arbitraryObject(bare: z.ZodObject, known: KnownIds): fc.Arbitrary<unknown> {
  const fields = Object.entries(bare.shape);
  return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, arbitraryInput(field, known)])), {
    requiredKeys: fields.filter(([, field]) => !bareSchema(field).optional).map(([name]) => name),
  });
}

function arbitraryNumber(bare: z.ZodNumber): fc.Arbitrary<number> {
  const min = Math.max(bare.minValue ?? 0, 0);
  const max = Math.min(bare.maxValue ?? 1e12, 1e12);
  const whole = fc.integer({ min, max: Math.min(max, 2_000_000_000) });
  if (bare.format === 'safeint') return whole;
  return fc.oneof(
    whole,
    fc.double({ min, max, noNaN: true }),
    whole.map((cents) => cents / 1000),
  );
}
