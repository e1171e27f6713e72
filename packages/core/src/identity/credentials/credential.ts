import { hash, randomBytes } from 'node:crypto';
import type { Permission, PermissionReach, Scope } from '@dealkeep/contract';
import { type Environment, tokenPrefix } from '../../foundations/environment.ts';
import type { StorageState } from '../tenancy/measure-storage.ts';
import type { AssistantReach } from './assistants.ts';

/** What a role permits. */
export type RolePermissions = Readonly<Partial<Record<Permission, PermissionReach | undefined>>>;

/**
 * Who calls: an API key with its owner, as read at most a second ago and after every revocation; an OAuth connection
 * with the user behind it, as read for this request; or a user in the console, whose role was looked at before.
 */
export interface Credential {
  readonly kind: 'api_key' | 'oauth' | 'session';
  /** Of the key, the connection or the user. */
  readonly id: string;
  /** Of the key, the application or the user. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly legacy: boolean;
  readonly expiresAt: string | null;
  /** What its organization and, of a key, the key itself let AI assistants do with it. */
  readonly assistants: AssistantReach;
  /** Of a user: it is a file that names what is written, not somebody who chose it from lists. */
  readonly importing?: true;
  readonly organization: {
    readonly id: string;
    readonly name: string;
    readonly slug: string;
    readonly currency: string;
    readonly timeZone: string;
    readonly countryCode: string;
    readonly subscription: 'active' | 'lapsed';
    /** Absent where there is room. */
    readonly storage?: StorageState;
    readonly requestsPerMinute: number;
    readonly organizationRequestsPerMinute: number;
  };
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly active: boolean;
    /**
     * What the role permits; `owner` is not asked. Only OAuth connections are bound to it; of a key it says whether
     * an owner made it.
     */
    readonly permissions: RolePermissions | 'owner';
  };
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const tokenBytes = 32;
/** Base62 digits that hold 32 bytes. */
const tokenDigits = 43;

/** A new token: a prefix that says what it is, and 32 random bytes in base62. Only its hash is kept. */
export function randomToken(prefix: string): string {
  let number = BigInt(`0x${randomBytes(tokenBytes).toString('hex')}`);
  let text = '';
  while (text.length < tokenDigits) {
    text = alphabet.charAt(Number(number % 62n)) + text;
    number /= 62n;
  }
  return prefix + text;
}

/** A new API key. Shown once. */
export const newToken = (environment: Environment): string => randomToken(tokenPrefix(environment));

/** SHA-256. A random token of 256 bits needs no slow hash, and looking it up by its hash leaks no timing. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** The clock, at work in one organization. */
export interface System {
  readonly kind: 'system';
  readonly organization: { readonly id: string; readonly slug: string };
}

/**
 * Who does something in an organization: a key, a connection or a session, which bring a credential, or the clock.
 */
export type Actor = Credential | System;

export const isCredential = (actor: Actor): actor is Credential => actor.kind !== 'system';
