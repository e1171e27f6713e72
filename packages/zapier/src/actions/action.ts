import {
  type ActionDeclaration,
  type ApiRecord,
  actionCall,
  actionFields,
  actionLabel,
  answerOf,
  answerSample,
  clears,
  type FormField,
  keyOf,
  labelOfResource,
  operationOf,
  outputFields,
  recordField,
  recordIn,
  resolveInput,
  shapeRecord,
} from '@dealkeep/connectors';
import type { OperationDeclaration } from '@dealkeep/contract';
import type { Bundle, Create, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { customFieldInputs } from '../forms/custom-field-inputs.ts';
import { fieldsToClear } from '../forms/fields-to-clear.ts';
import type { FormFields } from '../forms/form-part.ts';
import type { SearchFor } from '../forms/input-field.ts';
import { inputFieldGroups, inputFields } from '../forms/input-fields.ts';
import { guarded } from '../guarded.ts';
import { offeredFields } from '../offered.ts';
import { customFieldOutputs } from '../records/custom-field-outputs.ts';
import { apiFor } from '../requests/call-api.ts';
import { withFormOfRun } from './form-of-run.ts';

/** An action: one operation of the API with its body as the form and the changed record as the result. */
export function action(
  variant: AuthenticationVariant,
  declaration: ActionDeclaration,
  searchFor: SearchFor,
): Create {
  const operation = operationOf(declaration.operation);
  const schema = answerOf(operation);
  const record = operation.path.includes('{') ? recordField(operation) : undefined;
  const { label = actionLabel(operation), sends } = declaration;
  const fields = sends ? [] : actionFields(operation);
  const form = offeredFields(variant, fields);
  const withOptional = operation.kind === 'create';
  const groups = inputFieldGroups(form);
  return {
    key: keyOf(label),
    noun: labelOfResource(operation.resource),
    display: { label, description: declaration.description },
    operation: {
      inputFields: [
        ...inputFields(record ? [record, ...form] : form, searchFor),
        ...lastFields(variant, operation, form),
      ],
      ...(groups.length > 0 ? { inputFieldGroups: groups } : {}),
      perform: guarded(async (z: ZObject, bundle: Bundle): Promise<ApiRecord> => {
        const api = apiFor(variant, z, bundle);
        const input = await resolveInput(api, form, bundle.inputData, 'each item');
        const answer = await withFormOfRun(variant, { api, z, bundle }, form, (known, accept) =>
          api.call({ ...actionCall({ operation, record, fields: known, sends }, input), accept }),
        );
        return shapeRecord(schema, recordIn(answer), withOptional);
      }),
      sample: answerSample(operation, withOptional),
      outputFields: [...outputFields(schema, withOptional), ...customFieldOutputs(variant, schema)],
    },
  };
}

/** What stands below the fields of the contract: the custom fields, and which fields to empty. */
function lastFields(
  variant: AuthenticationVariant,
  operation: OperationDeclaration,
  form: readonly FormField[],
): FormFields {
  if (form.some(({ keysOf }) => keysOf)) return [customFieldInputs(variant, form, clears(operation))];
  return clears(operation) ? fieldsToClear(form) : [];
}
