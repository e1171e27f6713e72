import type { Clock } from '../clock.ts';
import type { Environment } from '../core.ts';
import type { Database } from '../database/connect.ts';
import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';
import type { Credential } from './credential.ts';
import { type FoundCredential, readAccessToken, readApiKey } from './read-credential.ts';
import { RevocationWatch } from './revocation.ts';
import { tokenHash } from './token.ts';

/** For what is no revocation: another name, other limits. */
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

/** Finds the credential behind a token; API keys are kept for a second, or until anything is revoked. */
export class CredentialCache {
  readonly #sql: Database;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #environment: Environment;
  readonly #entries = new Map<string, Entry>();
  readonly #revocations: RevocationWatch;

  constructor({ sql, clock, environment, log }: CredentialCacheOptions) {
    this.#sql = sql;
    this.#log = log;
    this.#clock = clock;
    this.#environment = environment;
    this.#revocations = new RevocationWatch(sql, () => this.#entries.clear());
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
    const isAccessToken = token.startsWith('dk_oat_');
    const credential = await (isAccessToken ? this.#readAccessToken(token) : this.#cached(token));
    if (!credential) throw new Problem('credential.invalid');
    if (credential.expiresAt !== null && credential.expiresAt <= this.#clock.now().toISOString()) {
      throw new Problem('credential.invalid');
    }
    return credential;
  }

  #cached(token: string): Promise<Credential | undefined> {
    const outdated = this.#revocations.upToDate();
    return outdated ? outdated.then(() => this.#remembered(token)) : this.#remembered(token);
  }

  #remembered(token: string): Promise<Credential | undefined> {
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
    const found = await readApiKey(this.#sql, hash, this.#environment);
    if (found) this.#noteUse(found);
    return found?.credential;
  }

  /** Not kept, so that a change of the person's role counts from the next request on (decisions, section 8). */
  async #readAccessToken(token: string): Promise<Credential | undefined> {
    const found = await readAccessToken(this.#sql, tokenHash(token), this.#environment);
    if (found) this.#noteUse(found);
    return found?.credential;
  }

  /** Keeps when a credential was last used, to the minute; no request waits for it. */
  #noteUse({ credential, lastUsedAt }: FoundCredential): void {
    const now = this.#clock.now();
    if (lastUsedAt !== null && now.getTime() - Date.parse(lastUsedAt) < useNotedEveryMs) return;
    const table = this.#sql(credential.kind === 'oauth' ? 'oauth_connections' : 'api_keys');
    this.#sql`
      update ${table} set last_used_at = ${now.toISOString()}
      where organization_id = ${credential.organization.id} and id = ${credential.id}`.catch((error) =>
      this.#log.warn({ error }, 'The last use of a credential could not be noted'),
    );
  }
}
