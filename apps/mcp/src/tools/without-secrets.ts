import { fieldsOf, getOperationOf, labelInSentence, type OperationDeclaration } from '@dealkeep/contract';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { idOf } from '../texts/record-lines.ts';

/**
 * What an operation answered without its secrets, which are for no model: whoever talks it into telling what it has read would
 * have them. Says of each where in the console a person gets it.
 */
export function withoutSecrets(
  { answer, resource }: OperationDeclaration,
  value: unknown,
  origin: string,
): { readonly value: unknown; readonly secrets: CallToolResult['content'] } {
  if (!answer || typeof value !== 'object' || value === null) return { value, secrets: [] };
  const secret = fieldsOf(answer).filter(
    ({ name, description }) => description?.secret === true && name in value,
  );
  if (secret.length === 0) return { value, secrets: [] };
  const names = new Set(secret.map(({ name }) => name));
  const shown = Object.entries(value).filter(([name]) => !names.has(name));
  const page = pageOf(resource, value, origin);
  const secrets = secret.map(({ name, description }) => ({
    type: 'text' as const,
    text: `The ${labelInSentence(description?.label.en ?? name)} is not shown to assistants. Tell the user that an owner of the organization gets one in the console, by "Change the secret" at ${page}.`,
  }));
  return { value: Object.fromEntries(shown), secrets };
}

/** The page of a record has the path by which the API reads it. */
function pageOf(resource: string, record: object, origin: string): string {
  const path = getOperationOf({ resource })?.path ?? '';
  return `${origin}${path.replace(/\{\w+\}$/, idOf(record) ?? '')}`;
}
