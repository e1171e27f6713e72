import {
  type FieldFacts,
  fieldsOf,
  getOperationOf,
  type OperationDeclaration,
  type OperationId,
} from '@dealkeep/contract';
import { nameOf, valueText } from '../texts/record-lines.ts';
import { inOneLine } from '../texts/visible.ts';
import { isUsable } from './allowed.ts';
import { runOperation } from './run-operation.ts';
import type { Arguments, Call } from './tool.ts';

const longestValue = 400;

/** What a call gives an operation, as a person is told it: a line for each field, records by their names. */
export async function givenInWords(
  call: Call,
  { body }: OperationDeclaration,
  given: Arguments,
): Promise<string[]> {
  const fields = body ? fieldsOf(body).filter(({ name }) => isFilledIn(given[name])) : [];
  return Promise.all(
    fields.map(async (field) => {
      const value = await inWords(call, field, given[field.name]);
      const label = field.description?.label.en ?? field.name;
      // In quotes that it cannot end.
      return `${label}: ${JSON.stringify(inOneLine(valueText(value), longestValue))}`;
    }),
  );
}

const isFilledIn = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The name of a record where the credential may read it, else the value itself. */
async function inWords(call: Call, { reference, isArray }: FieldFacts, value: unknown): Promise<unknown> {
  if (reference === undefined || isArray) return value;
  const get = getOperationOf({ resource: reference });
  const [, parameter] = /\{(\w+)\}$/.exec(get?.path ?? '') ?? [];
  if (!get || parameter === undefined || !isUsable(call.credential, get)) return value;
  const { value: record } = await runOperation(call, get.id as OperationId, { [parameter]: value });
  return nameOf(reference, record) ?? value;
}
