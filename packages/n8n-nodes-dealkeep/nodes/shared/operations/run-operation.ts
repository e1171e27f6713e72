import type { IExecuteFunctions } from 'n8n-workflow';
import { ParameterProblem } from '../failure.ts';
import { operations } from '../generated/operations.ts';
import { isRecord, type JsonRecord } from '../record.ts';
import type { Field, Operation } from '../tables.ts';
import { listRecords } from '../transport/pages.ts';
import type { DealkeepApi } from '../transport/request.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { queryOf } from './query-values.ts';
import { ItemParameters } from './read-parameters.ts';
import { type OutputChoice, shapeOutput } from './shape-output.ts';
import { createOrUpdate } from './upsert.ts';

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
  const operation = chosenOperation(context, item);
  const parameters = new ItemParameters(context, item, operation);
  const choice = outputChoice(parameters, operation);
  const records = await perform(context, api, item, operation, parameters);
  return records.map((record) => shapeOutput(record, choice, operation.simplified));
}

function chosenOperation(context: IExecuteFunctions, item: number): Operation {
  const resource = String(context.getNodeParameter('resource', item));
  const name = String(context.getNodeParameter('operation', item));
  const operation = operations[resource]?.[name];
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
  if (operation.upsert) {
    return [
      await createOrUpdate(api, operation, operation.upsert, parameters, idempotencyKey(context, item)),
    ];
  }
  const path = parameters.path();
  const fields = labelledFields(operation);
  if (operation.list) {
    const { paged } = operation.list;
    const query = queryOf(parameters.query());
    const found: unknown[] = [];
    for await (const record of listRecords(api, { path, paged, query, limit: parameters.limit(), fields })) {
      found.push(record);
    }
    return found;
  }
  const body = parameters.body();
  const answer = await api.request({
    method: operation.method,
    path,
    fields,
    ...(operation.inPath[0] ? { recordLabel: operation.inPath[0].label } : {}),
    ...(operation.query ? { query: queryOf(parameters.query()) } : {}),
    ...(body === undefined ? {} : { body }),
    ...(operation.method === 'POST' ? { idempotencyKey: idempotencyKey(context, item) } : {}),
  });
  if (operation.answer === 'nothing') return [{ deleted: true }];
  if (operation.answer === 'bare') return Array.isArray(answer) ? answer : [answer];
  return [isRecord(answer) ? answer['data'] : undefined];
}

/** Every field that an error of the operation can name. */
export const labelledFields = (operation: Operation): readonly Field[] => [
  ...operation.inPath,
  ...operation.required,
  ...operation.optional,
  ...(operation.list?.filters ?? operation.query ?? []),
];

function outputChoice(parameters: ItemParameters, operation: Operation): OutputChoice {
  if (operation.simplified === undefined) return { output: 'raw' };
  const output = parameters.value('output');
  if (output === 'raw') return { output };
  if (output !== 'selectedFields') return { output: 'simplified' };
  const fields = parameters.value('fields');
  return {
    output,
    fields: Array.isArray(fields) ? fields.map(String) : String(fields ?? '').split(/\s*,\s*/),
  };
}
