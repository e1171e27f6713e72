import type { FieldFacts } from '@dealkeep/contract';
import { isNumberField } from '../values/field-words.ts';
import type { ShownRecord } from '../values/shown-record.ts';
import { localTime } from './local-time.ts';
import type { Reading } from './reading.ts';
import type { Typed } from './typed.ts';
import { typedNumber } from './typed-numbers.ts';

/** The form that shows a record as it is. */
export function typedOf(fields: readonly FieldFacts[], record: ShownRecord, reading: Reading): Typed {
  const typed = new Map<string, readonly string[]>();
  const fill = (inner: readonly FieldFacts[], value: object, prefix: string): void => {
    for (const field of inner) {
      const name = `${prefix}${field.name}`;
      const held = heldBy(value, field.name);
      if (held === null || held === undefined) continue;
      if (field.type !== 'object') typed.set(name, textsOf(field, held, reading));
      else if (!field.isArray) fill(field.fields, Object(held), `${name}.`);
      else if (Array.isArray(held)) {
        for (const [row, each] of held.entries()) fill(field.fields, Object(each), `${name}[${row}].`);
      }
    }
  };
  fill(fields, record, '');
  return typed;
}

/** The value that a body's field stands for: `owner_id` is the id of `owner`, `street` stands in `address`. */
function heldBy(record: object, name: string): unknown {
  const at = (key: string): unknown => Reflect.get(record, key);
  if (at(name) !== undefined) return at(name);
  const one = /^(.+)_(?:id|uuid)$/.exec(name)?.[1];
  if (one !== undefined) return Reflect.get(Object(at(one)), 'id');
  const many = /^(.+)_ids$/.exec(name)?.[1];
  const all = many === undefined ? undefined : at(`${many}s`);
  if (Array.isArray(all)) return all.map((each) => Reflect.get(Object(each), 'id'));
  return Reflect.get(Object(at('address')), name);
}

function textsOf(field: FieldFacts, value: unknown, reading: Reading): string[] {
  if (Array.isArray(value)) {
    return field.reference || field.values.length > 0 ? value.map(String) : [value.map(String).join('\n')];
  }
  if (isNumberField(field)) return [typedNumber(field, value, reading)];
  return [field.format === 'date-time' ? localTime(String(value), reading.timeZone) : String(value)];
}
