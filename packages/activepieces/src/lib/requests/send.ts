import { fetchOnce, isLost, type Outcome, type PreparedRequest } from '@dealkeep/client/transport';
import { type Trouble, troubleOf, valueAt } from '@dealkeep/connectors';
import { userAgentOf } from '@dealkeep/contract';
import manifest from '../../../package.json' with { type: 'json' };

const attemptMilliseconds = 30_000;
export const userAgent = userAgentOf('activepieces', manifest.version);

/** Sends a request once. A redirect is followed nowhere, because the key would go along. */
export async function send(request: PreparedRequest): Promise<Outcome<Trouble>> {
  const headers = { ...request.headers, 'User-Agent': userAgent };
  const outcome = await fetchOnce(fetch, { ...request, headers }, attemptMilliseconds);
  if (isLost(outcome)) {
    return { lost: troubleOf(valueAt(outcome.lost.cause, ['cause', 'code'])), isPassing: outcome.isPassing };
  }
  const isElsewhere = outcome.status >= 300 && outcome.status < 400;
  return isElsewhere ? { lost: 'redirected', isPassing: false } : outcome;
}
