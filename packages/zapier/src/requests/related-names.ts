import type { Bundle, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { referenceOf } from '../dropdowns/dropdown-key.ts';
import { type ApiRecord, valueAt } from '../records/api-record.ts';
import { type RelatedRecord, relatedRecordsOf } from '../records/related-records.ts';
import { operationOf } from '../registry.ts';
import { recordIn } from './answer.ts';
import { callApi } from './call-api.ts';

/**
 * A record with the names of the related records of which the API tells the id alone. A name that cannot be read (the
 * record is gone, the connection may not see it) stays empty: the Zap runs all the same.
 */
export async function withRelatedNames(
  variant: AuthenticationVariant,
  z: ZObject,
  bundle: Bundle,
  resource: string,
  record: ApiRecord,
): Promise<ApiRecord> {
  const names = await Promise.all(
    relatedRecordsOf(resource).map(async (related) => {
      const id = record[related.id];
      const name = typeof id === 'string' ? await nameOf(variant, z, bundle, related, id) : null;
      return [related.key, name] as const;
    }),
  );
  return { ...record, ...Object.fromEntries(names) };
}

async function nameOf(
  variant: AuthenticationVariant,
  z: ZObject,
  bundle: Bundle,
  { reference, key }: RelatedRecord,
  id: string,
): Promise<unknown> {
  const { get, label = 'name' } = referenceOf(reference);
  if (get === undefined) return null;
  try {
    const answer = await callApi(variant, z, bundle, { operation: operationOf(get), path: { id } });
    return valueAt(recordIn(answer), label.split('.')) ?? null;
  } catch (error) {
    z.console.error(`${key} stays empty: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}
