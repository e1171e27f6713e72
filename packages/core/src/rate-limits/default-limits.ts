import { limits } from '@dealkeep/contract';
import type { Environment } from '../core.ts';

/** What an organization may call in a minute. */
export interface RequestLimits {
  readonly requestsPerMinute: number;
  readonly organizationRequestsPerMinute: number;
}

/** The limits of an environment's organizations that have none of their own (specification, Limits). */
export const defaultLimits = (environment: Environment): RequestLimits =>
  environment === 'test'
    ? {
        requestsPerMinute: limits.testRequestsPerMinute,
        organizationRequestsPerMinute: limits.testOrganizationRequestsPerMinute,
      }
    : {
        requestsPerMinute: limits.requestsPerMinute,
        organizationRequestsPerMinute: limits.organizationRequestsPerMinute,
      };
