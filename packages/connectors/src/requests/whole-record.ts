import type { ApiRecord } from '../records/api-record.ts';
import { operationOn } from '../registry.ts';
import { recordIn } from './answer.ts';
import type { Api } from './api.ts';

/** True when a list of the resource shows less of a record than its GET does, as of companies. */
export function isListedInPart(resource: string): boolean {
  const get = operationOn(resource, 'get');
  return get !== undefined && get.answer !== operationOn(resource, 'list')?.answer;
}

/** A listed record as GET answers it: as it is listed where that is the same, or where there is no GET. */
export async function wholeRecord(api: Api, resource: string, listed: ApiRecord): Promise<ApiRecord> {
  if (!isListedInPart(resource)) return listed;
  // Orders and products have a uuid where the rest have an id.
  return (await recordOfId(api, resource, String(listed['id'] ?? listed['uuid'] ?? ''))) ?? listed;
}

/** The record with an id as GET answers it; undefined when there is none. Throws when the resource has no GET. */
export async function recordOfId(api: Api, resource: string, id: string): Promise<ApiRecord | undefined> {
  const operation = operationOn(resource, 'get');
  if (!operation) throw new Error(`No operation reads one ${resource}.`);
  const answer = await api.call({ operation, path: { id, uuid: id }, accept: [404] });
  return answer.status === 404 ? undefined : recordIn(answer);
}
