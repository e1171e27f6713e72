import type { OperationDeclaration } from '@dealkeep/contract';
import type { Bundle, Create, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { filledIn } from '../forms/filled-in.ts';
import { type FormField, formFields } from '../forms/form-field.ts';
import { inputFieldGroups, inputFields, type SearchFor } from '../forms/input-field.ts';
import { recordField } from '../forms/record-field.ts';
import { guarded } from '../guarded.ts';
import { offeredFields } from '../offered.ts';
import type { ApiRecord } from '../records/api-record.ts';
import { customFieldOutputs } from '../records/custom-field-outputs.ts';
import { outputFields } from '../records/output-fields.ts';
import { resourceSample } from '../records/resource-sample.ts';
import { shapeRecord } from '../records/shape-record.ts';
import { answeredSchema, labelOfResource, operationOf } from '../registry.ts';
import { recordIn } from '../requests/answer.ts';
import { callApi } from '../requests/call-api.ts';
import { cleanError } from '../requests/clean-error.ts';
import { actionLabel, keyOf } from './action-name.ts';
import type { ActionDeclaration } from './catalog.ts';
import { clearedBody, fieldsToClear } from './clear-fields.ts';

/** An action: one operation of the API with its body as the form and the changed record as the result. */
export function action(
  variant: AuthenticationVariant,
  declaration: ActionDeclaration,
  searchFor: SearchFor,
): Create {
  const operation = operationOf(declaration.operation);
  const schema = answeredSchema(operation.resource);
  const record = operation.path.includes('{') ? recordField(operation) : undefined;
  const { label = actionLabel(operation), sends } = declaration;
  const fields = operation.body && !sends ? formFields(operation.body) : [];
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
        ...(operation.kind === 'update' ? fieldsToClear(form) : []),
      ],
      ...(groups.length > 0 ? { inputFieldGroups: groups } : {}),
      perform: guarded(async (z: ZObject, bundle: Bundle): Promise<ApiRecord> => {
        const answer = await callApi(variant, z, bundle, {
          operation,
          path: record ? pathOf(z, record, bundle.inputData) : {},
          body: sends ?? bodyFor(z, operation, form, bundle.inputData),
          fields: form,
          ...(record ? { subject: record.label } : {}),
        });
        return shapeRecord(schema, recordIn(answer), withOptional);
      }),
      sample: resourceSample(operation.resource, withOptional),
      outputFields: [...outputFields(schema, withOptional), ...customFieldOutputs(variant, schema)],
    },
  };
}

function bodyFor(
  z: ZObject,
  operation: OperationDeclaration,
  fields: readonly FormField[],
  input: Record<string, unknown>,
): Record<string, unknown> {
  const body = filledIn(z, fields, input);
  return operation.kind === 'update' ? clearedBody(fields, body, input) : body;
}

/** A field mapped from an earlier step can turn out empty, although it is required. */
function pathOf(z: ZObject, record: FormField, input: Record<string, unknown>): Record<string, string> {
  const id = filledIn(z, [record], input)[record.key];
  if (typeof id === 'string' && id !== '') return { [record.key]: id };
  throw cleanError(
    new z.errors.Error(
      `${record.label}: Nothing is chosen. Check that the earlier step which fills this field found a record.`,
      'VALIDATION_ERROR',
      422,
    ),
  );
}
