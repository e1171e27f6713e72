import type { OperationDeclaration } from '@dealkeep/contract';
import type { Call } from '../requests/api.ts';
import { clearedBody } from './clear-fields.ts';
import { filledIn } from './filled-in.ts';
import type { FormField } from './form-field.ts';
import { InputProblem } from './input-problem.ts';

/** What an action asks for. */
export interface ActionForm {
  readonly operation: OperationDeclaration;
  /** The record that it is about; undefined where it makes one. */
  readonly record: FormField | undefined;
  readonly fields: readonly FormField[];
  /** What it always sends instead of asking. */
  readonly sends: Readonly<Record<string, unknown>> | undefined;
}

/** The call that an action makes of what was filled in. */
export function actionCall(
  { operation, record, fields, sends }: ActionForm,
  input: Record<string, unknown>,
): Call {
  return {
    operation,
    path: record ? pathOf(record, input) : {},
    body: sends ?? bodyFor(operation, fields, input),
    fields,
    ...(record ? { subject: record.label } : {}),
  };
}

function bodyFor(
  operation: OperationDeclaration,
  fields: readonly FormField[],
  input: Record<string, unknown>,
): Record<string, unknown> {
  const body = filledIn(fields, input);
  return clears(operation) ? clearedBody(fields, body, input) : body;
}

/** Whether an empty box leaves a field as it is, so that emptying one is a choice of its own. */
export const clears = ({ kind }: OperationDeclaration): boolean => kind === 'update' || kind === 'upsert';

/** A field mapped from an earlier step can turn out empty, although it is required. */
function pathOf(record: FormField, input: Record<string, unknown>): Record<string, string> {
  const id = filledIn([record], input)[record.key];
  if (typeof id === 'string' && id !== '') return { [record.key]: id };
  throw new InputProblem(
    `${record.label}: Nothing is chosen. Check that the earlier step which fills this field found a record.`,
  );
}
