import { type ApiRecord, isApiRecord, operationOf, recordIn, valueAt } from '@dealkeep/connectors';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { guarded } from '../guarded.ts';
import { apiFor } from '../requests/call-api.ts';
import type { AuthenticationVariant } from './variant.ts';

/** Proves that the connection works, and tells whose it is. */
export const testConnection = (variant: () => AuthenticationVariant) =>
  guarded(
    async (z: ZObject, bundle: Bundle): Promise<ApiRecord> =>
      recordIn(await apiFor(variant(), z, bundle).call({ operation: operationOf('me.get') })),
  );

/** `Jana Horváthová @ Tatra Studio s.r.o.`; a key has no person, so its name stands there. */
export async function connectionLabel(_z: ZObject, bundle: Bundle): Promise<string> {
  const me = isApiRecord(bundle.inputData) ? bundle.inputData : {};
  const who = valueAt(me, ['user', 'name']) ?? valueAt(me, ['token', 'name']);
  const organization = valueAt(me, ['organization', 'name']);
  return [who, organization].filter((part) => typeof part === 'string' && part !== '').join(' @ ');
}
