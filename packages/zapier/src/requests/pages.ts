import { limits } from '@dealkeep/contract';
import type { Bundle, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import type { ApiRecord } from '../records/api-record.ts';
import { pageIn } from './answer.ts';
import { type Call, callApi } from './call-api.ts';

/** One run of a step. */
export interface Run {
  readonly variant: AuthenticationVariant;
  readonly z: ZObject;
  readonly bundle: Bundle;
}

/** The pages of a list from the first to the last, each as large as can be and asked for when it is wanted. */
export async function* pagesOf(
  { variant, z, bundle }: Run,
  call: Call,
): AsyncGenerator<readonly ApiRecord[]> {
  let cursor: string | undefined;
  do {
    const query = { ...call.query, limit: limits.pageSizeMaximum, cursor };
    const page = pageIn(await callApi(variant, z, bundle, { ...call, query }));
    yield page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
