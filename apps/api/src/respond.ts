import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '@dealkeep/core/change';
import { compress, encodingOf } from './compressed.ts';
import { entityTag, namesTag } from './entity-tags.ts';

/** What a client says of the answer that it wants. */
export interface Wanted {
  readonly acceptEncoding?: string | undefined;
  /** Of a GET. */
  readonly ifNoneMatch?: string | undefined;
}

export const wantedBy = (method: string, headers: IncomingHttpHeaders): Wanted => ({
  acceptEncoding: headers['accept-encoding']?.toString(),
  ifNoneMatch: method === 'GET' || method === 'HEAD' ? headers['if-none-match'] : undefined,
});

/**
 * The response to a request, from what is answered and the headers that go with it; complete when it is made,
 * because setting headers later costs more than all else.
 */
export async function respond(
  { status, body, noStore, language, tag, replayed }: Answer,
  headers: Record<string, string>,
  { acceptEncoding, ifNoneMatch }: Wanted,
): Promise<Response> {
  if (noStore) headers['Cache-Control'] = 'no-store';
  if (replayed) headers['Idempotent-Replayed'] = 'true';
  if (body === '') return new Response(null, { status, headers });
  const { encoding, depends } = encodingOf(body, acceptEncoding);
  const vary = [...(status >= 400 ? ['Accept-Language'] : []), ...(depends ? ['Accept-Encoding'] : [])];
  if (vary.length > 0) headers['Vary'] = vary.join(', ');
  if (tag) {
    headers['ETag'] = entityTag(tag, encoding);
    if (ifNoneMatch !== undefined && namesTag(ifNoneMatch, tag, { weakly: true })) {
      return new Response(null, { status: 304, headers });
    }
  }
  headers['Content-Type'] = 'application/json';
  if (language) headers['Content-Language'] = language;
  if (!encoding) return new Response(body, { status, headers });
  headers['Content-Encoding'] = encoding;
  return new Response(await compress(body, encoding), { status, headers });
}
