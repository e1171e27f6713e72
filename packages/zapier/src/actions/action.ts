import {
  type ActionDeclaration,
  type Answer,
  type ApiRecord,
  actionCall,
  actionFields,
  actionLabel,
  answerOf,
  answerSample,
  clears,
  type FormField,
  formOfRun,
  keyOf,
  labelOfResource,
  missesCustomFields,
  namesCustomFields,
  operationOf,
  outputFields,
  recordField,
  recordIn,
  resolveInput,
  shapeRecord,
  withCustomFields,
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
import { customFieldsNow, rememberedCustomFields } from '../requests/known-custom-fields.ts';
import type { Run } from '../requests/run.ts';

/** What the API answers when a value cannot be, such as one of a custom field that is called otherwise by now. */
const refused = 422;

/**
 * Sends what a run fills in, with its custom fields under the names that they have. Names that were remembered can
 * be old: when the API refuses them, they are asked for anew and sent once more.
 */
async function withFormOfRun(
  variant: AuthenticationVariant,
  run: Run,
  form: readonly FormField[],
  send: (fields: readonly FormField[], accept: readonly number[]) => Promise<Answer>,
): Promise<Answer> {
  const { inputData: input } = run.bundle;
  if (!namesCustomFields(form, input)) return send(form, []);
  const remembered = await rememberedCustomFields(variant, run);
  if (remembered && !missesCustomFields(form, remembered, input)) {
    const answer = await send(withCustomFields(form, remembered), [refused]);
    if (answer.status !== refused) return answer;
  }
  return send(formOfRun(form, await customFieldsNow(variant, run), input), []);
}

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
