import { apiVersion, limits } from '@dealkeep/contract';
import type { Clock, Credential, Environment } from '@dealkeep/core';

export interface Ceilings {
  credential: number;
  organization: number;
}

/** The ceilings of a response without a valid credential. */
export const defaultCeilings = (environment: Environment): Ceilings =>
  environment === 'test'
    ? { credential: limits.testRequestsPerMinute, organization: limits.testOrganizationRequestsPerMinute }
    : { credential: limits.requestsPerMinute, organization: limits.organizationRequestsPerMinute };

export const ceilingsOf = ({ organization }: Credential): Ceilings => ({
  credential: organization.requestsPerMinute,
  organization: organization.organizationRequestsPerMinute,
});

/** The four headers of every response. */
export function serviceHeaders(ceilings: Ceilings, clock: Clock): Record<string, string> {
  const ceiling = Math.min(ceilings.credential, ceilings.organization);
  const secondsLeft = 60 - Math.floor((clock.now().getTime() / 1000) % 60);
  return {
    'X-Service-Api-Version': apiVersion,
    'X-RateLimit-Limit': String(ceiling),
    'X-RateLimit-Remaining': String(ceiling),
    'X-RateLimit-Reset': String(secondsLeft),
  };
}
