import type { FieldFacts } from '@dealkeep/contract';
import { rowsIn, type Typed } from './typed.ts';

/** Where something stands in a form: `items[0].unit_price`; a row has a path of its own, and no field. */
export interface FieldPath {
  readonly path: string;
  readonly field: FieldFacts | undefined;
}

/** Every field of a form in its order, those in its rows included. */
export function* fieldPaths(fields: readonly FieldFacts[], typed: Typed, prefix = ''): Generator<FieldPath> {
  for (const field of fields) {
    const path = `${prefix}${field.name}`;
    yield { path, field };
    if (field.type !== 'object') continue;
    if (!field.isArray) yield* fieldPaths(field.fields, typed, `${path}.`);
    const rows = field.isArray ? Math.max(rowsIn(typed, path), field.minItems ?? 0) : 0;
    for (let row = 0; row < rows; row += 1) {
      yield { path: `${path}[${row}]`, field: undefined };
      yield* fieldPaths(field.fields, typed, `${path}[${row}].`);
    }
  }
}
