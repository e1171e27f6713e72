import { bareSchema, descriptionOf, type OperationDeclaration } from '@dealkeep/contract';
import { operationOn } from '../registry.ts';
import { type FormField, formFields } from './form-field.ts';

/** The field of "create or update" that says by what a record is looked for. */
export const matchField = 'match_by';

/**
 * What an action asks for. "Create or update" asks first by what to look for the record, and says of the fields that
 * a creation demands that they are needed then.
 */
export function actionFields(operation: OperationDeclaration): FormField[] {
  const fields = operation.body ? formFields(operation.body) : [];
  if (operation.kind !== 'upsert') return fields;
  const demanded = demandedToCreate(operation.resource);
  const isMatch = ({ key }: FormField) => key === matchField;
  const where = operation.body && descriptionOf(operation.body)?.help?.en;
  return [
    ...fields.filter(isMatch).map((field) => withHelp(field, where)),
    ...fields
      .filter((field) => !isMatch(field))
      .map((field) =>
        demanded.includes(field.key) ? withHelp(field, 'Needed when a new one is created.') : field,
      ),
  ];
}

function demandedToCreate(resource: string): string[] {
  const { body } = operationOn(resource, 'create') ?? {};
  return Object.entries(body?.shape ?? {}).flatMap(([name, schema]) =>
    bareSchema(schema).optional ? [] : [name],
  );
}

const withHelp = (field: FormField, more: string | undefined): FormField => ({
  ...field,
  help: [field.help, more].filter((part) => part !== undefined).join(' '),
});
