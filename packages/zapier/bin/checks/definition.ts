import * as z from 'zod';

/**
 * The built definition as far as the checks read it: what `zapier-platform build` writes to definition.json.
 * Functions appear as texts such as `$func$2$f$`.
 */
const field = z.looseObject({
  key: z.string(),
  label: z.string().optional(),
  type: z.string().optional(),
  required: z.boolean().optional(),
  list: z.boolean().optional(),
  dict: z.boolean().optional(),
});
const plainInputField = field.extend({
  default: z.string().optional(),
  /** A map from values to labels, or what is chosen from in another form. */
  choices: z.unknown().optional(),
  helpText: z.string().optional(),
  dynamic: z.string().optional(),
  search: z.string().optional(),
  dependsOn: z.array(z.string()).optional(),
  altersDynamicFields: z.boolean().optional(),
});
const inputField = plainInputField.extend({ children: z.array(plainInputField).optional() });
const outputField = field.extend({
  /** Part of what tells records apart. */
  primary: z.boolean().optional(),
});
const operation = z.looseObject({
  key: z.string(),
  noun: z.string(),
  display: z.looseObject({
    label: z.string().optional(),
    description: z.string().optional(),
    hidden: z.boolean().optional(),
  }),
  operation: z.looseObject({
    type: z.string().optional(),
    inputFields: z.array(z.union([z.string(), inputField])).default([]),
    outputFields: z.array(z.union([z.string(), outputField])).default([]),
    sample: z.record(z.string(), z.unknown()).optional(),
    performList: z.unknown().optional(),
    performSubscribe: z.unknown().optional(),
    performUnsubscribe: z.unknown().optional(),
    cleanInputData: z.boolean().optional(),
  }),
});
const searchOrCreate = z.looseObject({
  key: z.string(),
  display: z.looseObject({ label: z.string().optional(), description: z.string().optional() }),
  search: z.string(),
  create: z.string(),
});

export const Definition = z.looseObject({
  flags: z.looseObject({ cleanInputData: z.boolean().optional() }).optional(),
  authentication: z.looseObject({
    type: z.string(),
    connectionLabel: z.string().optional(),
    fields: z.array(inputField).default([]),
  }),
  triggers: z.record(z.string(), operation),
  creates: z.record(z.string(), operation),
  searches: z.record(z.string(), operation),
  searchOrCreates: z.record(z.string(), searchOrCreate),
});

export type Definition = z.output<typeof Definition>;
export type InputField = z.output<typeof inputField>;
export type OutputField = z.output<typeof outputField>;
export type Operation = z.output<typeof operation>;

export interface Place {
  /** `creates.move_lead` */
  readonly where: string;
  readonly operation: Operation;
}

export const kindOf = ({ where }: Place): string => where.slice(0, where.indexOf('.'));
export const wheresOf = (places: readonly { where: string }[]): string[] => places.map(({ where }) => where);

/** Every trigger, action and search with its place. */
export function operationsOf(definition: Definition): Place[] {
  return (['triggers', 'creates', 'searches'] as const).flatMap((kind) =>
    Object.entries(definition[kind]).map(([key, each]) => ({ where: `${kind}.${key}`, operation: each })),
  );
}

/** Those that a user can choose. */
export const visibleOperations = (definition: Definition): Place[] =>
  operationsOf(definition).filter(({ operation: each }) => each.display.hidden !== true);

/**
 * The fields, those of line items too, that are in the definition itself; those that a function makes are known only
 * when it runs.
 */
export function inputFieldsOf({ where, operation: each }: Place): { where: string; field: InputField }[] {
  return each.operation.inputFields.flatMap((field) =>
    typeof field === 'string'
      ? []
      : [field, ...(field.children ?? [])].map((each) => ({ where: `${where}.${each.key}`, field: each })),
  );
}

/** The output fields that are in the definition itself, without what functions add when they run. */
export const outputFieldsOf = ({ operation }: Operation): OutputField[] =>
  operation.outputFields.filter((field) => typeof field !== 'string');
