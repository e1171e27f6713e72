import type { Bundle, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import type { ApiRecord } from '../records/api-record.ts';
import { operationOn } from '../registry.ts';
import { recordIn } from './answer.ts';
import { callApi } from './call-api.ts';

/** A listed record as GET answers it, which can be more than the list shows; as it is listed where there is no GET. */
export async function wholeRecord(
  variant: AuthenticationVariant,
  z: ZObject,
  bundle: Bundle,
  resource: string,
  listed: ApiRecord,
): Promise<ApiRecord> {
  const get = operationOn(resource, 'get');
  if (!get) return listed;
  // Orders and products have a uuid where the rest have an id.
  const path = { id: String(listed['id'] ?? ''), uuid: String(listed['uuid'] ?? '') };
  return recordIn(await callApi(variant, z, bundle, { operation: get, path }));
}
