import { createHash } from 'node:crypto';
import { type ApiRecord, customFieldsOf, isApiRecord } from '@dealkeep/connectors';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import type { Run } from './run.ts';

/** So that of a step that runs a thousand times not each run asks twice. */
const rememberedSeconds = 60;

/**
 * The custom fields that an earlier run of the connection has learned; undefined when none has, or the cache is
 * down.
 */
export async function rememberedCustomFields(
  variant: AuthenticationVariant,
  { z, bundle }: Run,
): Promise<readonly ApiRecord[] | undefined> {
  try {
    const kept: unknown = await z.cache.get(keyFor(variant, z, bundle));
    return Array.isArray(kept) ? kept.filter(isApiRecord) : undefined;
  } catch (error) {
    z.console.error(`The cache does not answer, so custom fields are asked for anew: ${String(error)}`);
    return undefined;
  }
}

/** All custom fields as they are now, kept for the runs that follow. */
export async function customFieldsNow(
  variant: AuthenticationVariant,
  { api, z, bundle }: Run,
): Promise<readonly ApiRecord[]> {
  const known = await customFieldsOf(api);
  try {
    await z.cache.set(keyFor(variant, z, bundle), known, rememberedSeconds);
  } catch (error) {
    z.console.error(`The cache keeps nothing, so custom fields are asked for each time: ${String(error)}`);
  }
  return known;
}

/** Of this connection alone: another organization has other fields. */
function keyFor(variant: AuthenticationVariant, z: Run['z'], bundle: Run['bundle']): string {
  const connection = `${variant.apiRoot(z, bundle)} ${variant.authorization(bundle)}`;
  return `custom-fields/${createHash('sha256').update(connection).digest('hex')}`;
}
