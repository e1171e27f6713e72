import type { Scope } from '@dealkeep/contract';
import type { Clock } from '../clock.ts';
import type { Environment } from '../core.ts';
import type { Database } from '../database/connect.ts';
import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';
import { defaultLimits } from '../rate-limits/default-limits.ts';
import type { Credential } from './credential.ts';
import { tokenHash } from './token.ts';

/** A revocation is effective on every process within this time. */
const freshForMs = 1000;
const mostEntries = 10_000;
const useNotedEveryMs = 60_000;

interface Entry {
  readAt: number;
  credential: Promise<Credential | undefined>;
}

export interface CredentialCacheOptions {
  sql: Database;
  clock: Clock;
  environment: Environment;
  log: Log;
}

/** Finds the credential behind a token; what was found is kept for a second. */
export class CredentialCache {
  readonly #sql: Database;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #environment: Environment;
  readonly #entries = new Map<string, Entry>();

  constructor({ sql, clock, environment, log }: CredentialCacheOptions) {
    this.#sql = sql;
    this.#log = log;
    this.#clock = clock;
    this.#environment = environment;
  }

  /**
   * The credential of an `Authorization` header.
   * Raises UNAUTHORIZED or WRONG_ENVIRONMENT; trouble of the database stays what it is (never a 401).
   */
  async find(authorization: string | undefined): Promise<Credential> {
    const token = /^Bearer +([\w-]+) *$/i.exec(authorization ?? '')?.[1];
    if (!token) throw new Problem(authorization ? 'credential.invalid' : 'credential.missing');
    if (token.startsWith('dk_live_') && this.#environment === 'test') {
      throw new Problem('credential.live_in_test');
    }
    if (token.startsWith('dk_test_') && this.#environment === 'live') {
      throw new Problem('credential.test_in_live');
    }
    const credential = await this.#cached(token);
    if (!credential) throw new Problem('credential.invalid');
    if (credential.expiresAt !== null && credential.expiresAt <= this.#clock.now().toISOString()) {
      throw new Problem('credential.invalid');
    }
    return credential;
  }

  #cached(token: string): Promise<Credential | undefined> {
    const hash = tokenHash(token);
    const key = hash.toString('base64');
    const entry = this.#entries.get(key);
    const now = performance.now();
    if (entry && now - entry.readAt < freshForMs) return entry.credential;
    const credential = this.#read(hash);
    this.#entries.delete(key);
    this.#entries.set(key, { readAt: now, credential });
    const forget = () => {
      if (this.#entries.get(key)?.credential === credential) this.#entries.delete(key);
    };
    // An unknown token or a failed read is not kept.
    credential.then((found) => found ?? forget(), forget);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > mostEntries && oldest !== undefined) this.#entries.delete(oldest);
    return credential;
  }

  async #read(hash: Buffer): Promise<Credential | undefined> {
    const [row] = await this.#sql<CredentialRow[]>`
      select k.id, k.name, k.scopes, k.legacy, k.expires_at, k.last_used_at,
             o.id as organization_id, o.name as organization_name, o.slug, o.country_code, o.subscription,
             o.requests_per_minute, o.org_requests_per_minute,
             u.id as user_id, u.name as user_name, u.email, u.active
      from api_keys k
      join organizations o on o.id = k.organization_id
      join users u on u.organization_id = k.organization_id and u.id = k.user_id
      where k.token_hash = ${hash} and k.revoked_at is null`;
    if (!row) return undefined;
    this.#noteUse(row);
    const usual = defaultLimits(this.#environment);
    return {
      id: row.id,
      name: row.name,
      scopes: new Set(row.scopes),
      legacy: row.legacy,
      expiresAt: row.expires_at,
      organization: {
        id: row.organization_id,
        name: row.organization_name,
        slug: row.slug,
        countryCode: row.country_code,
        subscription: row.subscription,
        requestsPerMinute: row.requests_per_minute ?? usual.requestsPerMinute,
        organizationRequestsPerMinute: row.org_requests_per_minute ?? usual.organizationRequestsPerMinute,
      },
      user: { id: row.user_id, name: row.user_name, email: row.email, active: row.active },
    };
  }

  /** Keeps when a key was last used, to the minute; no request waits for it. */
  #noteUse({ id, organization_id: organization, last_used_at: noted }: CredentialRow): void {
    const now = this.#clock.now();
    if (noted !== null && now.getTime() - Date.parse(noted) < useNotedEveryMs) return;
    this.#sql`
      update api_keys set last_used_at = ${now.toISOString()}
      where organization_id = ${organization} and id = ${id}`.catch((error) =>
      this.#log.warn({ error }, 'The last use of a key could not be noted'),
    );
  }
}

interface CredentialRow {
  last_used_at: string | null;
  id: string;
  name: string;
  scopes: Scope[];
  legacy: boolean;
  expires_at: string | null;
  organization_id: string;
  organization_name: string;
  slug: string;
  country_code: string;
  subscription: 'active' | 'lapsed';
  requests_per_minute: number | null;
  org_requests_per_minute: number | null;
  user_id: string;
  user_name: string;
  email: string;
  active: boolean;
}
