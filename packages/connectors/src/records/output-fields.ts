import { bareSchema, descriptionOf, jsonPartsOf } from '@dealkeep/contract';
import * as z from 'zod';
import { fieldType } from '../forms/form-field.ts';
import { hasUuidForId } from './shape-record.ts';

/** A value of a record that later steps can take. */
export interface OutputField {
  readonly key: string;
  readonly label: string;
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'datetime';
  readonly list?: boolean;
  /** Holds values by free names. */
  readonly dict?: boolean;
}

/**
 * The labels and types of a shaped record's fields. A nested field is named by the keys on its way joined by two
 * underscores, and a field inside a list by `[]`.
 */
export function outputFields(schema: z.ZodObject, withOptional = false): OutputField[] {
  const fields = fieldsBelow(schema, { prefix: '', label: '', own: '' }, withOptional);
  return hasUuidForId(schema) ? [{ key: 'id', label: 'ID', type: 'string' }, ...fields] : fields;
}

/** Where a nested field stands: the keys before its own, the whole label so far and the parent's part of it. */
interface Parent {
  readonly prefix: string;
  readonly label: string;
  readonly own: string;
}

function fieldsBelow(schema: z.ZodObject, parent: Parent, withOptional: boolean): OutputField[] {
  return Object.entries(schema.shape)
    .filter(([, field]) => withOptional || !bareSchema(field).optional)
    .flatMap(([name, field]) => {
      const bare = jsonPartsOf(field) ?? bareSchema(field).bare;
      const key = `${parent.prefix}${name}`;
      const own = labelOf(field) ?? name;
      const label = joinLabels(parent, own);
      if (bare instanceof z.ZodObject) {
        return fieldsBelow(bare, { prefix: `${key}__`, label, own }, withOptional);
      }
      if (bare instanceof z.ZodRecord) return [{ key, label, dict: true }];
      if (!(bare instanceof z.ZodArray)) return [{ key, label, type: outputType(bare) }];
      const element = bareSchema(bare.element).bare;
      if (!(element instanceof z.ZodObject)) return [{ key, label, list: true, type: outputType(element) }];
      const item = labelOf(bare.element) ?? own;
      const inside = { prefix: `${key}[]`, label: joinLabels(parent, item), own: item };
      return fieldsBelow(element, inside, withOptional);
    });
}

const labelOf = (schema: z.core.$ZodType): string | undefined => descriptionOf(schema)?.label.en;

/** A nested field's label often begins with its parent's: `Company` and `Company Name` make the latter. */
function joinLabels(parent: Parent, own: string): string {
  if (parent.label === '') return own;
  if (!own.startsWith(parent.own)) return `${parent.label} ${own}`;
  return `${parent.label.slice(0, parent.label.length - parent.own.length)}${own}`;
}

function outputType(schema: z.core.$ZodType): NonNullable<OutputField['type']> {
  const type = fieldType(schema, false);
  // A date without a time is no moment: as `datetime`, platforms would move it between time zones.
  if (type === 'date' || type === 'text') return 'string';
  return type;
}
