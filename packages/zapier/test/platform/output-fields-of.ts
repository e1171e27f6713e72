import { Definition, type OutputField } from '../../bin/checks/definition.ts';
import type { Connection } from './connection.ts';
import type { Platform } from './platform.ts';

/** The output fields of a step as the editor knows them: those of the definition, and what functions add to them. */
export async function outputFieldsOf(
  platform: Platform,
  { authData }: Connection,
  step: string,
  inputData: object = {},
): Promise<OutputField[]> {
  const fields = await platform.run(`${step}.operation.outputFields`, { authData, inputData });
  return Definition.shape.triggers.valueType.shape.operation.shape.outputFields
    .parse(fields)
    .filter((field) => typeof field !== 'string');
}
