import { limits } from '@dealkeep/contract';

/** Where people do business, or where programs are tried out, whose records are deleted every night. */
export type Environment = 'live' | 'test';

/** What API keys begin with, so that one of the other environment is recognised. */
export const tokenPrefix = (environment: Environment): string =>
  environment === 'test' ? 'dk_test_' : 'dk_live_';

/** What an organization may call in a minute. */
interface RequestLimits {
  readonly requestsPerMinute: number;
  readonly organizationRequestsPerMinute: number;
}

/** The limits of organizations that have none of their own (rules rate-limits 1 and test-environment 3). */
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
