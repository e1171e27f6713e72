import type { IExecuteFunctions } from 'n8n-workflow';
import { requireFilterValues } from '../choices/filter-values.ts';
import { ParameterProblem } from '../failure.ts';
import { operations } from '../generated/operations.ts';
import { filterFields } from '../parameters/event-filters.ts';
import { Organization } from '../parameters/organization.ts';
import { isRecord, type JsonRecord, ownValue } from '../record.ts';
import type { Field, Operation } from '../tables.ts';
import { listRecords } from '../transport/pages.ts';
import type { DealkeepApi } from '../transport/request.ts';
import { idempotencyKeys } from './idempotency-key.ts';
import { fieldsOf, ItemParameters } from './read-parameters.ts';
import { type OutputChoice, shapeOutput } from './shape-output.ts';

/** What is done for one input item, and how its answer is given out. */
export interface Task {
  readonly operation: Operation;
  readonly parameters: ItemParameters;
  readonly shape: (record: unknown) => JsonRecord;
}

/** What "Resource" and "Operation" say for an item. */
export function taskOf(context: IExecuteFunctions, api: DealkeepApi, item: number): Task {
  const operation = chosenOperation(context, item);
  const parameters = new ItemParameters(context, item, operation, Organization.of(api));
  const choice = outputChoice(parameters, operation);
  return { operation, parameters, shape: (record) => shapeOutput(record, choice, operation.simplified) };
}

/**
 * Does for one input item what "Resource" and "Operation" say, and answers the records to give out.
 *
 * @throws {ApiFailure | ParameterProblem} in words for the person at the workflow
 */
export async function runOperation(
  context: IExecuteFunctions,
  api: DealkeepApi,
  item: number,
): Promise<JsonRecord[]> {
  const { operation, parameters, shape } = taskOf(context, api, item);
  return (await perform(context, api, item, operation, parameters)).map(shape);
}

function chosenOperation(context: IExecuteFunctions, item: number): Operation {
  const resource = String(context.getNodeParameter('resource', item));
  const name = String(context.getNodeParameter('operation', item));
  const operation = ownValue(ownValue(operations, resource) ?? {}, name);
  if (!operation) {
    throw new ParameterProblem(
      `The operation "${name}" of the resource "${resource}" does not exist`,
      'Choose the resource and the operation from their lists.',
    );
  }
  return operation;
}

async function perform(
  context: IExecuteFunctions,
  api: DealkeepApi,
  item: number,
  operation: Operation,
  parameters: ItemParameters,
): Promise<unknown[]> {
  const path = parameters.path();
  const fields = labelledFields(operation);
  if (operation.list) {
    const { list } = operation;
    const request = { ...list, path, query: parameters.query(), limit: parameters.limit(), fields };
    const found: unknown[] = [];
    for await (const record of listRecords(api, request)) found.push(record);
    return found;
  }
  const body = await parameters.body();
  await requireFilterValues(api, parameters.eventFilters());
  const answer = await api.request({
    method: operation.method,
    path,
    fields,
    ...namedRecord(operation),
    ...(operation.query || operation.asked ? { query: parameters.query() } : {}),
    ...(body === undefined ? {} : { body }),
    ...(operation.method === 'POST' ? idempotencyKeys(context, item) : {}),
  });
  if (operation.answer === 'nothing') return [{ deleted: true }];
  if (operation.answer === 'bare') return Array.isArray(answer) ? answer : [answer];
  const data = isRecord(answer) ? answer['data'] : undefined;
  return Array.isArray(data) ? data : [data];
}

/** The label of the record that is chosen, for an error that does not find it. */
export const namedRecord = ({ inPath: [record] }: Operation): { recordLabel?: string } =>
  record ? { recordLabel: record.label } : {};

/** Every field that an error of the operation can name. */
export const labelledFields = (operation: Operation): readonly Field[] => [
  ...operation.inPath,
  ...(operation.always ?? []),
  ...fieldsOf(operation).map((field) =>
    field.kind === 'eventFilters' ? { ...field, fields: filterFields() } : field,
  ),
  ...(operation.asked ?? []),
  ...(operation.list?.filters ?? operation.query ?? []),
];

/** Tools of AI agents have the parameter "Output", nodes in a workflow the switch "Simplify". */
function outputChoice(parameters: ItemParameters, operation: Operation): OutputChoice {
  if (operation.simplified === undefined) return { output: 'raw' };
  const output =
    parameters.valueIfShown('output') ??
    (parameters.valueIfShown('simplify') === false ? 'raw' : 'simplified');
  if (output === 'raw') return { output };
  if (output !== 'selectedFields') return { output: 'simplified' };
  const fields = parameters.value('fields');
  return {
    output,
    fields: Array.isArray(fields) ? fields.map(String) : String(fields ?? '').split(/\s*,\s*/),
  };
}
