import type { Check } from './check.ts';
import { type Operation, outputFieldsOf, visibleOperations } from './definition.ts';
import { hasPlace, isForeignMoment, isKept, leaves } from './output-values.ts';

export const sampleChecks: readonly Check[] = [
  {
    code: 'D010',
    promise: "a trigger's sample has what tells records apart",
    findings: (definition) =>
      visibleOperations(definition)
        .filter(({ where, operation }) => where.startsWith('triggers.') && !hasPrimary(operation))
        .map(({ where }) => where),
  },
  {
    code: 'D012',
    promise: 'every operation has a sample',
    findings: (definition) =>
      visibleOperations(definition)
        .filter(({ operation }) => Object.keys(operation.operation.sample ?? {}).length === 0)
        .map(({ where }) => where),
  },
  {
    code: 'D023',
    promise: 'dates and times in samples are ISO 8601, times with their zone',
    findings: (definition) =>
      visibleOperations(definition).flatMap(({ where, operation }) =>
        leaves(operation.operation.sample)
          .filter(({ value }) => isForeignMoment(value))
          .map(({ key }) => `${where}.${key}`),
      ),
  },
  {
    code: 'D024',
    promise: 'samples have the values that the output fields declare',
    findings: (definition) =>
      visibleOperations(definition).flatMap(({ where, operation }) =>
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
      visibleOperations(definition).flatMap(({ where, operation }) => {
        const { outputFields, sample } = operation.operation;
        const fields = outputFieldsOf(operation);
        const labelled = new Set(fields.filter(({ label }) => label).map(({ key }) => key));
        // What a function adds is not known here, and the sample of several kinds of records is of one of them.
        const made = fields.length === 0 && outputFields.length > 0;
        return [
          ...(made ? [] : leaves(sample))
            // What stands in a list is labelled, also where the list is empty.
            .filter(
              ({ key, value }) => !labelled.has(key) && !(isEmptyList(value) && hasItems(key, labelled)),
            )
            .map(({ key }) => key),
          ...fields.filter((field) => !hasPlace(field, sample)).map(({ key }) => key),
        ].map((key) => `${where}.${key}`);
      }),
  },
];

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const hasItems = (list: string, labelled: ReadonlySet<string>): boolean =>
  [...labelled].some((key) => key.startsWith(`${list}[]`));

/** Zapier tells records apart by the output fields that are `primary`, else by `id`. */
function hasPrimary(operation: Operation): boolean {
  const { sample = {} } = operation.operation;
  const primary = outputFieldsOf(operation).filter((field) => field.primary);
  const keys = primary.length > 0 ? primary.map(({ key }) => key) : ['id'];
  return keys.every((key) => (sample[key] ?? '') !== '');
}
