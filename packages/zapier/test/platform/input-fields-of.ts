import { Definition, type InputField } from '../../bin/checks/definition.ts';
import type { Connection } from './connection.ts';
import type { Platform } from './platform.ts';

/** The form of a step as the editor shows it when so much is filled in. */
export async function inputFieldsOf(
  platform: Platform,
  { authData }: Connection,
  step: string,
  inputData: object = {},
): Promise<InputField[]> {
  const fields = await platform.run(`${step}.operation.inputFields`, { authData, inputData });
  return Definition.shape.creates.valueType.shape.operation.shape.inputFields
    .parse(fields)
    .filter((field) => typeof field !== 'string');
}
