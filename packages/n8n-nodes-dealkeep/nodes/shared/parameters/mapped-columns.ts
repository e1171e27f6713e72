import { ParameterProblem } from '../failure.ts';
import { type ApiFields, isRecord, type JsonRecord } from '../record.ts';
import type { Field } from '../tables.ts';
import { customValues } from './custom-values.ts';
import { jsonList } from './json-list.ts';
import type { Organization } from './organization.ts';
import { type Purpose, toApiFields } from './to-api-value.ts';

/** What the columns of an input item are mapped to. */
export interface Target {
  readonly fields: readonly Field[];
  /** Columns that name the record itself: the item has them, but they are no fields. */
  readonly identity: readonly string[];
  /** Where custom fields are taken too: the organization that has them. */
  readonly organization?: Organization;
  /** What is no field of the record is left out instead of being an error. */
  readonly ignoresOthers: boolean;
}

/** The column that holds custom fields by their names, as the API shows them. */
const customFieldsColumn = 'custom_fields';

/**
 * The API's fields of an input item whose columns are called as the fields are: by their names, their names in
 * camelCase, or their labels.
 *
 * @throws {ParameterProblem} with the column when it is none of the record, or the value cannot be meant
 */
export async function mapColumns(item: JsonRecord, target: Target, purpose: Purpose): Promise<ApiFields> {
  const { fields, identity, organization, ignoresOthers } = target;
  const { known, others } = columnsOf(fields, item, ignoresOthers);
  const own: [string, JsonRecord[string]][] = [];
  for (const [column, value] of Object.entries(others)) {
    if (organization && column === customFieldsColumn && isRecord(value)) own.push(...Object.entries(value));
    else if (organization && (await isCustomField(column, organization))) own.push([column, value]);
    else if (!identity.includes(column) && !ignoresOthers) throw unknownColumn(column, fields);
  }
  const custom = organization && (await customValues(Object.fromEntries(own), organization, purpose));
  return {
    ...toApiFields(fields, known, purpose),
    ...(custom === undefined ? {} : { [customFieldsColumn]: custom }),
  };
}

async function isCustomField(column: string, organization: Organization): Promise<boolean> {
  return (await organization.customFields()).some(({ name }) => name === column);
}

/** The values of an item by the parameters of the fields that its columns name, and the rest by the columns. */
function columnsOf(
  fields: readonly Field[],
  item: JsonRecord,
  ignoresOthers: boolean,
): { known: JsonRecord; others: JsonRecord } {
  const known: JsonRecord = {};
  const others: [string, JsonRecord[string]][] = [];
  for (const [column, value] of Object.entries(item)) {
    const field = fieldCalled(column, fields);
    if (field) known[field.parameter] = partsOf(field, value, ignoresOthers);
    else others.push([column, value]);
  }
  // Made of entries, a column called `__proto__` is one like any other.
  return { known, others: Object.fromEntries(others) };
}

/**
 * The API's own name decides where a label says the same: `company` is the one described, "Company" a chosen one.
 */
const fieldCalled = (column: string, fields: readonly Field[]): Field | undefined =>
  fields.find(({ name }) => name === column) ??
  fields.find(({ parameter }) => parameter === column) ??
  fields.find(({ label }) => label.toLowerCase() === column.trim().toLowerCase());

/** Of objects, the parts are called as their fields are too. */
function partsOf(field: Field, value: unknown, ignoresOthers: boolean): JsonRecord[string] {
  const { kind, fields = [] } = field;
  if (kind === 'object' && isRecord(value)) return ofPart(field, fields, value, ignoresOthers);
  if (kind === 'objects' && value !== null && value !== '') {
    return jsonList(field, value).map((each) =>
      isRecord(each) ? ofPart(field, fields, each, ignoresOthers) : {},
    );
  }
  return value as JsonRecord[string];
}

function ofPart(
  { label }: Field,
  fields: readonly Field[],
  value: JsonRecord,
  ignoresOthers: boolean,
): JsonRecord {
  const { known, others } = columnsOf(fields, value, ignoresOthers);
  const [other] = Object.keys(others);
  if (other !== undefined && !ignoresOthers) throw unknownColumn(`${label} → ${other}`, fields);
  return known;
}

const unknownColumn = (column: string, fields: readonly Field[]): ParameterProblem =>
  new ParameterProblem(
    `${column}: Dealkeep has no such field`,
    `Rename or remove it before this node, e.g. with Edit Fields, or let Columns Not in Dealkeep ignore it. These are known: ${fields
      .map(({ name }) => name)
      .join(', ')}.`,
  );
