import { isApiRecord } from '../records/api-record.ts';
import type { Check } from './check.ts';
import { type Definition, type OutputField, type Place, visibleOperations } from './definition.ts';

const isoMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;
const isoDate = /^\d{4}-\d{2}-\d{2}$/;
/** What a person would take for a date or a time, in whatever form. */
const looksLikeMoment =
  /^\d{4}-\d{2}-\d{2}|^\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2,4}|^\d{1,2} [A-Z][a-z]{2} \d{4}/;

const withSamples = (definition: Definition): Place[] => visibleOperations(definition);

export const sampleChecks: readonly Check[] = [
  {
    code: 'D010',
    promise: "a trigger's sample has an id",
    findings: (definition) =>
      withSamples(definition)
        .filter(({ where, operation }) => where.startsWith('triggers.') && !hasId(operation.operation.sample))
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
          .filter(
            ({ value }) =>
              typeof value === 'string' &&
              looksLikeMoment.test(value) &&
              !isoDate.test(value) &&
              !isoMoment.test(value),
          )
          .map(({ key }) => `${where}.${key}`),
      ),
  },
  {
    code: 'D024',
    promise: 'samples have the values that the output fields declare',
    findings: (definition) =>
      withSamples(definition).flatMap(({ where, operation }) =>
        outputFieldsOf(operation.operation.outputFields).flatMap((field) =>
          isKept(field, operation.operation.sample) ? [] : [`${where}.${field.key}`],
        ),
      ),
  },
  {
    // Not Zapier's: a key that no output field declares would be shown to users by its raw name.
    code: 'OUTPUT',
    promise: 'every key of a sample has an output field with a label',
    findings: (definition) =>
      withSamples(definition).flatMap(({ where, operation }) => {
        const fields = outputFieldsOf(operation.operation.outputFields);
        if (fields.length < operation.operation.outputFields.length) return [];
        const labelled = new Set(fields.filter(({ label }) => label).map(({ key }) => key));
        return leaves(operation.operation.sample)
          .filter(({ key }) => !labelled.has(key))
          .map(({ key }) => `${where}.${key}`);
      }),
  },
];

const hasId = (sample: unknown): boolean => isApiRecord(sample) && (sample['id'] ?? '') !== '';

const outputFieldsOf = (fields: readonly (string | OutputField)[]): OutputField[] =>
  fields.filter((field) => typeof field !== 'string');

function isKept(field: OutputField, sample: unknown): boolean {
  const value = valueOfField(sample, field.key);
  if (value === undefined) return field.required !== true && !isApiRecord(sample);
  if (value === null) return true;
  if (field.dict) return isApiRecord(value);
  if (field.list) return Array.isArray(value) && value.every((item) => hasType(item, field.type));
  return hasType(value, field.type);
}

/** `company__name` is `name` inside `company`; `contacts[]email` the `email` of the first contact. */
function valueOfField(value: unknown, key: string): unknown {
  if (value === null) return null;
  const list = key.indexOf('[]');
  if (list > 0) {
    const items = valueOfField(value, key.slice(0, list));
    if (!Array.isArray(items)) return undefined;
    return items.length === 0 ? null : valueOfField(items[0], key.slice(list + 2));
  }
  if (!isApiRecord(value)) return undefined;
  const nested = key.indexOf('__');
  if (nested < 0) return value[key];
  const inner = value[key.slice(0, nested)];
  return inner === undefined ? undefined : valueOfField(inner, key.slice(nested + 2));
}

function hasType(value: unknown, type: string | undefined): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return typeof value === 'number';
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'datetime') return typeof value === 'string' && (isoMoment.test(value) || isoDate.test(value));
  return typeof value === 'string';
}

/** Every value of a sample by the key that its output field has. */
function leaves(value: unknown, key = ''): { key: string; value: unknown }[] {
  if (isApiRecord(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([name, inner]) => leaves(inner, joined(key, name)));
  }
  if (Array.isArray(value) && isApiRecord(value[0])) return leaves(value[0], `${key}[]`);
  return key === '' ? [] : [{ key, value }];
}

const joined = (key: string, name: string): string =>
  key === '' || key.endsWith('[]') ? `${key}${name}` : `${key}__${name}`;
