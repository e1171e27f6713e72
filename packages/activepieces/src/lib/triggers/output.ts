import type { OutputSchema } from '@activepieces/pieces-framework';
import { fieldsOfTelling, givenOn, isMixed, type TriggerDeclaration, toldBy } from '@dealkeep/connectors';
import { outputFieldsOf } from '../outputs/output-schema.ts';

/** The labels of the record's fields, and of what the event tells besides. */
export function schemaOfTrigger(declaration: TriggerDeclaration): OutputSchema {
  const [first] = declaration.events;
  const told = toldBy(declaration);
  return {
    fields: [
      ...(first === undefined || isMixed(declaration) ? [] : outputFieldsOf(givenOn(first, told))),
      ...fieldsOfTelling(told).map(({ key, label, type }) =>
        type === 'datetime' ? { key, label, format: type } : { key, label },
      ),
    ],
  };
}
