import type { Permission, PermissionReach, Scope } from '@dealkeep/contract';

/** What a role permits. */
export type RolePermissions = Readonly<Partial<Record<Permission, PermissionReach | undefined>>>;

/**
 * Who calls: an API key with its owner, as read at most a second ago and after every revocation; an OAuth connection with the person behind it, as
 * read for this request; or a person in the console, whose role was looked at before.
 */
export interface Credential {
  readonly kind: 'api_key' | 'oauth' | 'session';
  /** Of the key, the connection or the person. */
  readonly id: string;
  /** Of the key, the application or the person. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly legacy: boolean;
  readonly expiresAt: string | null;
  readonly organization: {
    readonly id: string;
    readonly name: string;
    readonly slug: string;
    readonly subscription: 'active' | 'lapsed';
    readonly requestsPerMinute: number;
    readonly organizationRequestsPerMinute: number;
  };
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly active: boolean;
    /** What the role permits; `owner` is not asked. Only OAuth connections are bound to it. */
    readonly permissions: RolePermissions | 'owner';
  };
}
