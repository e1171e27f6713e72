import type { Scope } from '@dealkeep/contract';

/** Who calls: an API key with its organization and owner, as read at most a second ago. */
export interface Credential {
  readonly id: string;
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly legacy: boolean;
  readonly expiresAt: string | null;
  readonly organization: {
    readonly id: string;
    readonly name: string;
    readonly slug: string;
    readonly countryCode: string;
    readonly subscription: 'active' | 'lapsed';
    readonly requestsPerMinute: number;
    readonly organizationRequestsPerMinute: number;
  };
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly active: boolean;
  };
}
