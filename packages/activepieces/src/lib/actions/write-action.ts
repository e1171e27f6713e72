import { createAction, Property } from '@activepieces/pieces-framework';
import {
  type ActionDeclaration,
  actionCall,
  actionFields,
  actionLabel,
  answerOf,
  clearable,
  clearField,
  clears,
  type FormField,
  keyOf,
  operationOf,
  recordField,
  recordIn,
  resolveInput,
  shapeRecord,
} from '@dealkeep/connectors';
import { instructionText } from '@dealkeep/contract';
import { dealkeepAuth } from '../auth.ts';
import { outputFieldsOf } from '../outputs/output-schema.ts';
import { formOf } from '../properties/custom-fields.ts';
import { handWritten, inputOf } from '../properties/input.ts';
import { propertiesOf } from '../properties/property-of.ts';
import { apiOf } from '../requests/api.ts';
import { patience } from '../requests/patience.ts';

/** An action: one operation of the API with its body as the form, and the changed record as the result. */
export function writeAction(declaration: ActionDeclaration) {
  const operation = operationOf(declaration.operation);
  const { label = actionLabel(operation), sends } = declaration;
  const record = operation.path.includes('{') ? recordField(operation) : undefined;
  const fields = sends ? [] : actionFields(operation);
  const all = record ? [record, ...fields] : fields;
  const schema = answerOf(operation);
  return createAction({
    auth: dealkeepAuth,
    name: keyOf(label),
    displayName: label,
    description: declaration.description,
    aiMetadata: {
      // What always sends the same is for one purpose of the operation.
      description: sends ? declaration.description : instructionText(operation),
      idempotent: operation.kind === 'update' || operation.kind === 'upsert',
    },
    props: {
      ...propertiesOf(all),
      ...(clears(operation) && !sends ? fieldsToClear(fields) : {}),
    },
    outputSchema: { fields: outputFieldsOf(schema) },
    async run({ auth, propsValue, run, step }) {
      const api = apiOf(auth.props, {
        waits: patience.step,
        step: { runId: run.id, name: step.name },
      });
      const input = await resolveInput(api, fields, inputOf(propsValue, fields), handWritten);
      const asked = await formOf(api, fields, input);
      const answer = await api.call(actionCall({ operation, record, fields: asked, sends }, input));
      return shapeRecord(schema, recordIn(answer), true);
    },
  });
}

/** A property that is left empty does not change its field, so emptying a field is a choice of its own. */
function fieldsToClear(fields: readonly FormField[]) {
  const offered = clearable(fields);
  if (offered.length === 0) return {};
  return {
    [clearField]: Property.StaticMultiSelectDropdown({
      displayName: 'Fields to Clear',
      description: 'These are emptied. A field that is left blank does not change.',
      required: false,
      options: { options: offered.map(({ key, label }) => ({ label, value: key })) },
    }),
  };
}
