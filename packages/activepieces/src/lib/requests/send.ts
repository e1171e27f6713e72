import { type Request, type Trouble, troubleOf, valueAt } from '@dealkeep/connectors';
import { userAgentOf } from '@dealkeep/contract';
import manifest from '../../../package.json' with { type: 'json' };

/** What came of one attempt: an answer of whatever status, or why there was none. */
export type Outcome =
  | { readonly status: number; readonly content: unknown; readonly header: (name: string) => string | null }
  | { readonly trouble: Trouble };

const attemptMilliseconds = 30_000;
export const userAgent = userAgentOf('activepieces', manifest.version);

/** Sends a request once. A redirect is followed nowhere, because the key would go along. */
export async function send({ url, ...request }: Request): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      ...request,
      headers: { ...request.headers, 'User-Agent': userAgent },
      redirect: 'manual',
      signal: AbortSignal.timeout(attemptMilliseconds),
    });
    if (response.status >= 300 && response.status < 400) return { trouble: 'redirected' };
    const text = await response.text();
    return {
      status: response.status,
      content: parsed(text),
      header: (name) => response.headers.get(name),
    };
  } catch (error) {
    return { trouble: troubleOf(valueAt(error, ['cause', 'code'])) };
  }
}

/** Undefined for what is no JSON, such as the page of a proxy. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
