import type { ApiRecord } from '../records/api-record.ts';
import { operationOn } from '../registry.ts';
import { recordIn } from './answer.ts';
import { callApi } from './call-api.ts';
import type { Run } from './pages.ts';

/** True when a list of the resource shows less of a record than its GET does, as of companies. */
export function isListedInPart(resource: string): boolean {
  const get = operationOn(resource, 'get');
  return get !== undefined && get.answer !== operationOn(resource, 'list')?.answer;
}

/** A listed record as GET answers it: as it is listed where that is the same, or where there is no GET. */
export async function wholeRecord(run: Run, resource: string, listed: ApiRecord): Promise<ApiRecord> {
  if (!isListedInPart(resource)) return listed;
  // Orders and products have a uuid where the rest have an id.
  return (await recordOfId(run, resource, String(listed['id'] ?? listed['uuid'] ?? ''))) ?? listed;
}

/** The record with an id as GET answers it; undefined when there is none. Throws when the resource has no GET. */
export async function recordOfId(
  { variant, z, bundle }: Run,
  resource: string,
  id: string,
): Promise<ApiRecord | undefined> {
  const operation = operationOn(resource, 'get');
  if (!operation) throw new Error(`No operation reads one ${resource}.`);
  const answer = await callApi(variant, z, bundle, { operation, path: { id, uuid: id }, accept: [404] });
  return answer.status === 404 ? undefined : recordIn(answer);
}
