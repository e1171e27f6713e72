import {
  asciiLowerCase,
  type OperationDeclaration,
  operations,
  type Reference,
  type ReferenceName,
  references,
} from '@dealkeep/contract';
import { operationNamed } from './candidates.ts';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const bare = new RegExp(`^${uuid}$`, 'i');
const named = new RegExp(`^([a-z-]+):(${uuid})$`, 'i');
const afterName = new RegExp(`^.*\\S\\s*\\((${uuid})\\)$`, 'is');
const atEnd = new RegExp(`^/([a-z/-]+)/(${uuid})/?$`, 'i');

/**
 * The id that a value has in any form in which tools show one: itself, `lead:ID`, "Name (ID)", the address of the
 * record's page, or `{id, name}`; undefined where it has none of this kind of record, so that it can only be a name.
 */
export function idIn(value: unknown, reference: ReferenceName, origin: string): string | undefined {
  if (typeof value === 'object' && value !== null && 'id' in value) return idIn(value.id, reference, origin);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (bare.test(text)) return text;
  const [, kind, id] = named.exec(text) ?? [];
  if (kind !== undefined) return asciiLowerCase(kind.replaceAll('_', '-')) === reference ? id : undefined;
  return afterName.exec(text)?.[1] ?? idOfPage(text, reference, origin);
}

/** The pages of records have the addresses of their lists. */
function idOfPage(text: string, reference: ReferenceName, origin: string): string | undefined {
  if (!text.startsWith(`${origin}/`)) return undefined;
  const { list, items }: Reference = references[reference];
  const { path }: OperationDeclaration = operations[operationNamed(list)];
  const [, page, id] = atEnd.exec(text.slice(origin.length)) ?? [];
  return items === undefined && `/${page}` === path ? id : undefined;
}
