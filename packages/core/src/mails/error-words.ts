import { describeDeliveryFailure, type Text } from '@dealkeep/contract';
import type { LastError } from '../deliveries/last-error.ts';

/** What went wrong, in plain words, as a part of a sentence. */
export const errorWords = (error: LastError): Text =>
  'status' in error
    ? { en: `it answered with status ${error.status}`, sk: `odpoveď so stavom ${error.status}` }
    : describeDeliveryFailure(error.reason, error.detail);
