import { broken, missing } from './break.ts';
import type { Schema, Surface } from './surface.ts';

type Direction = 'sent' | 'received';

/** One of the forms of a value, without references. */
interface Form {
  readonly schema: Schema;
  readonly types: readonly string[] | undefined;
}

interface Value {
  readonly orNull: boolean;
  readonly forms: readonly Form[];
}

/** Judges how schemas changed: what is sent may be less strict than before, what is received more. */
export class SchemaComparison {
  readonly #before: Surface['schemas'];
  readonly #after: Surface['schemas'];
  /** Pairs that are being compared, or were: schemas name each other. */
  readonly #seen = new Set<string>();

  constructor(before: Surface['schemas'], after: Surface['schemas']) {
    this.#before = before;
    this.#after = after;
  }

  /** The breaks between two schemas, a sentence each. */
  compare(where: string, before: Schema, after: Schema, direction: Direction): string[] {
    const pair = `${direction} ${where} ${before['$ref']} ${after['$ref']}`;
    if (before['$ref'] !== undefined) {
      if (this.#seen.has(pair)) return [];
      this.#seen.add(pair);
    }
    const [old, now] = [formsOf(before, this.#before), formsOf(after, this.#after)];
    return [
      ...(direction === 'sent' && old.orNull && !now.orNull
        ? [broken(where, 'no longer takes null', 'narrowed')]
        : []),
      ...(direction === 'received' && !old.orNull && now.orNull
        ? [broken(where, 'can be null', 'answered')]
        : []),
      ...this.#compareForms(where, old.forms, now.forms, direction),
      ...this.#compareInner(`${where} (reduced)`, before['reduced'], after['reduced'], direction),
    ];
  }

  /** Each form that was sent is taken by one that there is; each that is received is one that there was. */
  #compareForms(
    where: string,
    before: readonly Form[],
    after: readonly Form[],
    direction: Direction,
  ): string[] {
    const [givers, takers] = direction === 'sent' ? [before, after] : [after, before];
    return givers.flatMap((giver) => {
      const tries = takers.map((taker) =>
        direction === 'sent'
          ? this.#compareForm(where, giver, taker, direction)
          : this.#compareForm(where, taker, giver, direction),
      );
      // Of several forms, the one that fits best tells what is wrong.
      return tries.sort((one, other) => one.length - other.length)[0] ?? [];
    });
  }

  #compareForm(where: string, before: Form, after: Form, direction: Direction): string[] {
    const types = compareTypes(where, before, after, direction);
    if (types.length > 0) return types;
    const compare = direction === 'sent' ? compareSent : compareReceived;
    return [
      ...compare(where, before.schema, after.schema),
      ...this.#compareMembers(where, before.schema, after.schema, direction),
      ...this.#compareInner(`${where}[]`, before.schema['items'], after.schema['items'], direction),
      ...this.#compareInner(
        `${where}.*`,
        before.schema['additionalProperties'],
        after.schema['additionalProperties'],
        direction,
      ),
    ];
  }

  #compareInner(where: string, before: unknown, after: unknown, direction: Direction): string[] {
    const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
    if (direction === 'sent' && before !== false && after === false) {
      return before === undefined ? [] : [broken(where, 'is no longer taken', 'narrowed')];
    }
    return isSchema(before) && isSchema(after) ? this.compare(where, before, after, direction) : [];
  }

  #compareMembers(where: string, before: Schema, after: Schema, direction: Direction): string[] {
    const [old, now] = [membersOf(before), membersOf(after)];
    const [needed, neededNow] = [requiredOf(before), requiredOf(after)];
    const changed = Object.entries(old).flatMap(([name, schema]) => {
      const next = now[name];
      return next === undefined
        ? [
            direction === 'sent'
              ? broken(`${where}.${name}`, 'is no longer taken', 'gone')
              : broken(`${where}.${name}`, 'is no longer answered', 'gone'),
          ]
        : this.compare(`${where}.${name}`, schema, next, direction);
    });
    const required =
      direction === 'sent'
        ? missing(neededNow, needed).map((name) =>
            broken(`${where}.${name}`, name in old ? 'became required' : 'is new and required', 'required'),
          )
        : missing(needed, neededNow)
            .filter((name) => name in now)
            .map((name) => broken(`${where}.${name}`, 'is not always answered', 'answered'));
    return [...changed, ...required];
  }
}

function formsOf(schema: Schema, schemas: Surface['schemas']): Value {
  const { $ref, anyOf, ...own } = schema;
  if (typeof $ref === 'string') {
    const target = formsOf(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
    return {
      ...target,
      forms: target.forms.map((form) => ({ ...form, schema: { ...form.schema, ...own } })),
    };
  }
  if (Array.isArray(anyOf)) {
    const values = anyOf.map((each: Schema) => formsOf(each, schemas));
    const forms = values.flatMap((each) => each.forms);
    return { orNull: values.some((each) => each.orNull), forms };
  }
  const { type } = own;
  const types = Array.isArray(type) ? type.map(String) : type === undefined ? undefined : [String(type)];
  const rest = types?.filter((each) => each !== 'null');
  const orNull = types?.includes('null') ?? false;
  return { orNull, forms: orNull && rest?.length === 0 ? [] : [{ schema: own, types: rest }] };
}

function compareTypes(where: string, before: Form, after: Form, direction: Direction): string[] {
  const [givers, takers] = direction === 'sent' ? [before.types, after.types] : [after.types, before.types];
  if (takers === undefined) return [];
  const other = (givers ?? ['any value']).filter(
    (each) => !takers.includes(each) && !(each === 'integer' && takers.includes('number')),
  );
  return other.map((each) =>
    direction === 'sent'
      ? broken(where, `no longer takes ${each}`, 'narrowed')
      : broken(where, `is ${each} instead of ${takers.join(' or ')}`, 'answered'),
  );
}

const lowest = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'] as const;
const highest = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'] as const;

/** What a value that was taken can be refused for now. */
function compareSent(where: string, before: Schema, after: Schema): string[] {
  const [old, now] = [choicesOf(before), choicesOf(after)];
  const bounds = [
    ...lowest.filter(
      (word) =>
        numberOf(after[word], Number.NEGATIVE_INFINITY) > numberOf(before[word], Number.NEGATIVE_INFINITY),
    ),
    ...highest.filter(
      (word) =>
        numberOf(after[word], Number.POSITIVE_INFINITY) < numberOf(before[word], Number.POSITIVE_INFINITY),
    ),
  ];
  const forms = (['format', 'pattern'] as const).filter(
    (word) => after[word] !== undefined && after[word] !== before[word],
  );
  return [
    ...(now === undefined
      ? []
      : old === undefined
        ? [broken(where, 'takes chosen values only', 'narrowed')]
        : missing(old, now).map((value) =>
            broken(where, `no longer takes ${JSON.stringify(value)}`, 'narrowed'),
          )),
    ...bounds.map((word) =>
      broken(where, `${word} is ${after[word]} instead of ${before[word] ?? 'none'}`, 'narrowed'),
    ),
    ...forms.map((word) =>
      broken(where, `${word} is ${after[word]} instead of ${before[word] ?? 'any'}`, 'narrowed'),
    ),
    ...(before['default'] === after['default']
      ? []
      : [
          broken(
            where,
            `the default is ${JSON.stringify(after['default'])} instead of ${JSON.stringify(before['default'])}`,
            'default',
          ),
        ]),
  ];
}

/** What can come now that could not come before. */
function compareReceived(where: string, before: Schema, after: Schema): string[] {
  const [old, now] = [choicesOf(before), choicesOf(after)];
  const isOpen = before['x-open'] === true;
  return [
    ...(old === undefined || isOpen
      ? []
      : now === undefined
        ? [broken(where, 'can be any value instead of one of some', 'answered')]
        : missing(now, old).map((value) => broken(where, `can be ${JSON.stringify(value)}`, 'answered'))),
    ...(old === undefined || now === undefined
      ? []
      : missing(old, now).map((value) =>
          broken(where, `is never ${JSON.stringify(value)} any more`, 'gone'),
        )),
    ...(before['format'] === undefined || before['format'] === after['format']
      ? []
      : [
          broken(
            where,
            `has the form ${after['format'] ?? 'any'} instead of ${before['format']}`,
            'answered',
          ),
        ]),
  ];
}

const numberOf = (value: unknown, absent: number): number => (typeof value === 'number' ? value : absent);

function choicesOf({ enum: values, const: only }: Schema): unknown[] | undefined {
  if (only !== undefined) return [only];
  return Array.isArray(values) ? values.filter((each) => each !== null) : undefined;
}

const membersOf = ({ properties }: Schema): Record<string, Schema> => Object(properties ?? {});
const requiredOf = ({ required }: Schema): string[] => (Array.isArray(required) ? required.map(String) : []);
