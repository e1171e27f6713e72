import { platformOf } from '@dealkeep/contract';
import type { Database } from '../database/connect.ts';
import type { Log } from '../log.ts';
import type { FoundCredential } from './read-credential.ts';

const notedEveryMs = 60_000;
/** More is not kept of what a program says of itself; it is for people to recognise it by. */
const longestProgram = 120;

/**
 * Notes when a credential was used and with which program, to the minute; at once, when a platform of automation uses it
 * for the first time. Nobody waits for it.
 */
export function noteUse(
  { sql, log, now }: { sql: Database; log: Log; now: Date },
  { credential, use }: FoundCredential,
  userAgent: string | undefined,
): void {
  const platform = userAgent === undefined ? undefined : platformOf(userAgent);
  const isNew = platform !== undefined && !use.platforms.includes(platform);
  const isRecent = use.at !== null && now.getTime() - use.at < notedEveryMs;
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

/** What strangers may send as they like: a line of printable ASCII, shortened; null when nothing is left. */
function programOf(userAgent = ''): string | null {
  const program = userAgent
    .slice(0, longestProgram)
    .replaceAll(/[^\x20-\x7e]+/g, '?')
    .trim();
  return program === '' ? null : program;
}
