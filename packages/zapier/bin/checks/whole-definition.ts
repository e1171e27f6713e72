import { isApiRecord, valueAt } from '@dealkeep/connectors';
import { appHandler } from '../../src/app-handler.ts';
import { isFormPart } from '../../src/forms/form-part.ts';

/**
 * The definition as `zapier-platform build` writes it, with the fields that parts of forms can answer in place of
 * the names of their functions: what is checked and kept of forms holds for those fields as well.
 */
export async function wholeDefinition(app: object): Promise<unknown> {
  const { results } = await appHandler(app)({ command: 'definition', calledFromCli: true });
  const definition: unknown = structuredClone(results);
  for (const kind of ['triggers', 'creates', 'searches']) {
    for (const [key, step] of Object.entries(Object(valueAt(definition, [kind])))) {
      const built = valueAt(step, ['operation']);
      const own = valueAt(app, [kind, key, 'operation', 'inputFields']);
      if (isApiRecord(built) && Array.isArray(own))
        Object.assign(built, { inputFields: withParts(built, own) });
    }
  }
  return definition;
}

function withParts(built: object, own: readonly unknown[]): unknown[] {
  const fields: unknown = Reflect.get(built, 'inputFields');
  if (!Array.isArray(fields)) return [];
  return own.flatMap((field, index) => (isFormPart(field) ? field.canAnswer : [fields[index]]));
}
