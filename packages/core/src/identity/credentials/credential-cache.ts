import { platformOf } from '@dealkeep/contract';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../foundations/clock.ts';
import type { Database } from '../../foundations/database/connect.ts';
import type { Environment } from '../../foundations/environment.ts';
import type { Log } from '../../foundations/log.ts';
import {
  credentialReliedOnMs,
  keyUseNotedEveryMs,
  rememberedCredentials,
} from '../../foundations/operating-limits.ts';
import { Problem } from '../../foundations/problem.ts';
import { type Credential, tokenHash } from './credential.ts';
import { type FoundCredential, readAccessToken, readApiKey } from './read-credential.ts';
import { programOf } from './request-origin.ts';
import type { ProtectedResource } from './resources.ts';
import { RevocationWatch } from './revocation.ts';

/** What a request says of who sends it. */
export interface Caller {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The `User-Agent` header. */
  readonly userAgent: string | undefined;
}

interface CredentialCacheOptions {
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
  readonly #entries = new LRUCache<string, Promise<FoundCredential | undefined>>({
    max: rememberedCredentials,
    ttl: credentialReliedOnMs,
  });
  readonly #revocations: RevocationWatch;

  constructor({ sql, clock, environment, log }: CredentialCacheOptions) {
    this.#sql = sql;
    this.#log = log;
    this.#clock = clock;
    this.#environment = environment;
    this.#revocations = new RevocationWatch(sql, () => this.#entries.clear());
  }

  /**
   * The credential of an `Authorization` header that was sent to a resource; notes its use, for which no request
   * waits. Raises UNAUTHORIZED or WRONG_ENVIRONMENT; trouble of the database stays what it is (never a 401).
   */
  async find({ authorization, userAgent }: Caller, resource: ProtectedResource): Promise<Credential> {
    const token = /^Bearer +([\w-]+) *$/i.exec(authorization ?? '')?.[1];
    if (!token) throw new Problem(authorization ? 'credential.malformed' : 'credential.missing');
    if (token.startsWith('dk_live_') && this.#environment === 'test') {
      throw new Problem('credential.live_in_test');
    }
    if (token.startsWith('dk_test_') && this.#environment === 'live') {
      throw new Problem('credential.test_in_live');
    }
    const isAccessToken = token.startsWith('dk_oat_');
    const found = await (isAccessToken ? this.#readAccessToken(token) : this.#cached(token));
    if (!found) throw new Problem('credential.invalid');
    const { credential } = found;
    if (credential.expiresAt !== null && credential.expiresAt <= this.#clock.now().toISOString()) {
      throw new Problem('credential.invalid');
    }
    // A token that one resource was given must be of no use to it elsewhere (RFC 8707, 2; RFC 9700, 2.3).
    if (!found.resources.includes(resource)) throw new Problem('credential.resource');
    noteUse({ sql: this.#sql, log: this.#log, now: this.#clock.now() }, found, userAgent);
    return credential;
  }

  #cached(token: string): Promise<FoundCredential | undefined> {
    const outdated = this.#revocations.upToDate();
    return outdated ? outdated.then(() => this.#remembered(token)) : this.#remembered(token);
  }

  #remembered(token: string): Promise<FoundCredential | undefined> {
    const hash = tokenHash(token);
    const key = hash.toString('base64');
    const known = this.#entries.get(key);
    if (known) return known;
    const found = readApiKey(this.#sql, hash, this.#environment);
    this.#entries.set(key, found);
    const forget = () => {
      if (this.#entries.peek(key) === found) this.#entries.delete(key);
    };
    // What was not found, or could not be read, is looked up again next time.
    found.then((credential) => credential ?? forget(), forget);
    return found;
  }

  /** Not kept, so that a change of the user's role counts from the next request on (rule scopes 7). */
  #readAccessToken(token: string): Promise<FoundCredential | undefined> {
    return readAccessToken(this.#sql, tokenHash(token), this.#environment);
  }
}

/**
 * Notes when a credential was used and with which program, to the minute; at once, when a platform of automation
 * uses it for the first time. Nobody waits for it.
 */
function noteUse(
  { sql, log, now }: { sql: Database; log: Log; now: Date },
  { credential, use }: FoundCredential,
  userAgent: string | undefined,
): void {
  const platform = userAgent === undefined ? undefined : platformOf(userAgent);
  const isNew = platform !== undefined && !use.platforms.includes(platform);
  const isRecent = use.at !== null && now.getTime() - use.at < keyUseNotedEveryMs;
  const isNamed = use.by !== null || userAgent === undefined;
  if (isRecent && isNamed && !isNew) return;
  // Known from now on, so that of the requests that come meanwhile none notes it again.
  use.at = now.getTime();
  use.by = programOf(userAgent);
  if (isNew) use.platforms = [...use.platforms, platform];
  const table = sql(credential.kind === 'oauth' ? 'oauth_connections' : 'api_keys');
  sql`
    update ${table} set last_used_at = ${now.toISOString()}, last_used_by = ${use.by},
      platforms = platforms || array(select each from unnest(${isNew ? [platform] : []}::text[]) each
                                     where each <> all (platforms))
    where organization_id = ${credential.organization.id} and id = ${credential.id}`.catch((error) =>
    log.warn({ error }, 'The last use of a credential could not be noted'),
  );
}
