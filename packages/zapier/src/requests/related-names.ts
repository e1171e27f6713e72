import type { Bundle, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { type ApiRecord, valueAt } from '../records/api-record.ts';
import { type RelatedRecord, relatedRecordsOf } from '../records/related-records.ts';
import { operationOf } from '../registry.ts';
import { recordIn } from './answer.ts';
import { callApi } from './call-api.ts';

/**
 * A record with the names of the related records of which the API tells the id alone. A name that cannot be read (the
 * record is gone, the connection may not see it) stays empty: the Zap runs all the same. Only when the access has ended,
 * the run begins anew after a refresh, unless `written` says that it has changed something by then.
 */
export async function withRelatedNames(
  variant: AuthenticationVariant,
  z: ZObject,
  bundle: Bundle,
  resource: string,
  record: ApiRecord,
  { written = false } = {},
): Promise<ApiRecord> {
  const nameOf = (related: RelatedRecord, id: string) =>
    readName(variant, z, bundle, related, id).catch((error: unknown) => {
      if (!written && error instanceof z.errors.RefreshAuthError) throw error;
      z.console.error(
        `${related.key} stays empty: ${error instanceof Error ? error.message : String(error)}`,
      );
      return null;
    });
  const names = await Promise.all(
    relatedRecordsOf(resource).map(async (related) => {
      const id = record[related.id];
      const name = typeof id === 'string' ? await nameOf(related, id) : null;
      return [related.key, name] as const;
    }),
  );
  return { ...record, ...Object.fromEntries(names) };
}

async function readName(
  variant: AuthenticationVariant,
  z: ZObject,
  bundle: Bundle,
  { get, path }: RelatedRecord,
  id: string,
): Promise<unknown> {
  const answer = await callApi(variant, z, bundle, { operation: operationOf(get), path: { id } });
  return valueAt(recordIn(answer), path) ?? null;
}
