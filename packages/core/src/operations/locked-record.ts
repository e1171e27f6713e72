import { hash } from 'node:crypto';
import { type EveryOperationId, everyOperation, type OperationDeclaration } from '@dealkeep/contract';
import { lockRecord } from '../change/verb/record-places.ts';
import { withSeenReferences } from '../change/verb/shown-references.ts';
import type { Changing, Writing } from '../change/verb/verb.ts';
import { notFound, Problem } from '../foundations/problem.ts';
import type { Credential } from '../identity/credentials/credential.ts';
import { runVerb, type VerbId } from './verbs.ts';

/**
 * The record that an operation is about, as its GET answers it; nobody changes it until the transaction ends. Raises
 * NOT_FOUND.
 */
export async function lockedRecord(
  changing: Writing,
  id: EveryOperationId,
  path: Readonly<Record<string, string>>,
): Promise<unknown> {
  const { resource } = everyOperation[id];
  const [recordId = ''] = Object.values(path);
  await lockRecord(changing, resource, recordId);
  const get = getOf(resource);
  const record = await runVerb(get, changing, { path, query: {}, body: {} });
  return withSeenReferences(changing, everyOperation[get], record);
}

const tagCharacters = 22;

/** Names a record by the text of its GET's answer: `updated_at` and all else that is shown of it. */
export const tagOf = (body: string): string => hash('sha256', body, 'base64url').slice(0, tagCharacters);

/** The same of the record itself. */
export const tagOfRecord = (record: unknown): string => tagOf(JSON.stringify({ data: record }));

/**
 * Makes a change depend on what the actor last saw of the record that it is about. It is looked at once the record
 * is locked, so of two at once one is refused. Raises PRECONDITION_FAILED.
 */
export const unchanged =
  (
    actor: Credential,
    { id, path }: { readonly id: EveryOperationId; readonly path: Readonly<Record<string, string>> },
    isSeen: (tag: string) => boolean,
  ) =>
  async (changing: Changing): Promise<void> => {
    const record = await lockedRecord({ ...changing, actor }, id, path);
    if (!isSeen(tagOfRecord(record))) throw new Problem('record.precondition');
  };

/** Whether it reads something of a record, and not a record that stands below another one. */
const isPartOfRecord = ({ path }: OperationDeclaration): boolean =>
  path.includes('}/') && !path.endsWith('}');

/** The operation that reads one record. Raises NOT_FOUND where there is none. */
export function getOf(resource: string): VerbId {
  const get = Object.values<OperationDeclaration>(everyOperation).find(
    (each) => each.resource === resource && each.kind === 'get' && !isPartOfRecord(each),
  );
  if (!get) throw notFound();
  return get.id as VerbId;
}
