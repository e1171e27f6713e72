import type { ReferenceName } from '@dealkeep/contract';
import { type ApiRecord, isApiRecord } from '../records/api-record.ts';
import { referenceOf } from '../references.ts';
import { operationOf } from '../registry.ts';
import type { Api } from '../requests/api.ts';
import { everyRecord } from '../requests/pages.ts';
import { recordOfId } from '../requests/whole-record.ts';

/** What stands inside records: the stages of a pipeline, or of all of them; each tells in which it stands. */
export async function innerRecords(
  api: Api,
  inside: ReferenceName,
  ownerId: string | undefined,
): Promise<ApiRecord[]> {
  const { list, items = '' } = referenceOf(inside);
  const { resource } = operationOf(list);
  const owners = await ownersOf(api, list, ownerId);
  return owners.flatMap((owner) => {
    const inner = owner[items];
    const stands = { [resource]: { id: owner['id'], name: owner['name'] } };
    return Array.isArray(inner) ? inner.filter(isApiRecord).map((item) => ({ ...item, ...stands })) : [];
  });
}

async function ownersOf(api: Api, list: string, id: string | undefined): Promise<readonly ApiRecord[]> {
  const operation = operationOf(list);
  if (id !== undefined) {
    const owner = await recordOfId(api, operation.resource, id);
    return owner ? [owner] : [];
  }
  return everyRecord(api, { operation, query: { sort: 'name' } });
}
