import type { Api } from '@dealkeep/connectors';
import type { Bundle, ZObject } from 'zapier-platform-core';

/** One run of a step. */
export interface Run {
  readonly api: Api;
  readonly z: ZObject;
  readonly bundle: Bundle;
}
