import type { Check } from './check.ts';
import {
  type Definition,
  type Operation,
  outputFieldsOf,
  type Place,
  visibleOperations,
} from './definition.ts';
import { hasPlace, isForeignMoment, isKept, leaves } from './output-values.ts';

const withSamples = (definition: Definition): Place[] => visibleOperations(definition);

export const sampleChecks: readonly Check[] = [
  {
    code: 'D010',
    promise: "a trigger's sample has what tells records apart",
    findings: (definition) =>
      withSamples(definition)
        .filter(({ where, operation }) => where.startsWith('triggers.') && !hasPrimary(operation))
        .map(({ where }) => where),
  },
  {
    code: 'D012',
    promise: 'every operation has a sample',
    findings: (definition) =>
      withSamples(definition)
        .filter(({ operation }) => Object.keys(operation.operation.sample ?? {}).length === 0)
        .map(({ where }) => where),
  },
  {
    code: 'D023',
    promise: 'dates and times in samples are ISO 8601, times with their zone',
    findings: (definition) =>
      withSamples(definition).flatMap(({ where, operation }) =>
        leaves(operation.operation.sample)
          .filter(({ value }) => isForeignMoment(value))
          .map(({ key }) => `${where}.${key}`),
      ),
  },
  {
    code: 'D024',
    promise: 'samples have the values that the output fields declare',
    findings: (definition) =>
      withSamples(definition).flatMap(({ where, operation }) =>
        outputFieldsOf(operation).flatMap((field) =>
          isKept(field, operation.operation.sample) ? [] : [`${where}.${field.key}`],
        ),
      ),
  },
  {
    // Not Zapier's: a key that no output field declares would be shown to users by its raw name.
    code: 'OUTPUT',
    promise: 'every key of a sample has an output field with a label, and every output field its key',
    findings: (definition) =>
      withSamples(definition).flatMap(({ where, operation }) => {
        const { outputFields, sample } = operation.operation;
        const fields = outputFieldsOf(operation);
        const labelled = new Set(fields.filter(({ label }) => label).map(({ key }) => key));
        // What a function adds is not known here, and the sample of several kinds of records is of one of them.
        const made = fields.length === 0 && outputFields.length > 0;
        return [
          ...(made ? [] : leaves(sample)).map(({ key }) => key).filter((key) => !labelled.has(key)),
          ...fields.filter((field) => !hasPlace(field, sample)).map(({ key }) => key),
        ].map((key) => `${where}.${key}`);
      }),
  },
];

/** Zapier tells records apart by the output fields that are `primary`, else by `id`. */
function hasPrimary(operation: Operation): boolean {
  const { sample = {} } = operation.operation;
  const primary = outputFieldsOf(operation).filter((field) => field.primary);
  const keys = primary.length > 0 ? primary.map(({ key }) => key) : ['id'];
  return keys.every((key) => (sample[key] ?? '') !== '');
}
