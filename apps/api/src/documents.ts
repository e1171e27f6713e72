import { createHash } from 'node:crypto';
import { withExamplesOfDay } from '@dealkeep/contract';
import type { Clock } from '@dealkeep/core/foundations';
import type { Context } from 'hono';
import type { ApiEnvironment } from './api-environment.ts';
import { compress, type Encoding, encodingFor } from './compressed.ts';

/** A text that stays the same for a day, ready to be sent. */
interface Document {
  readonly plain: Buffer<ArrayBuffer>;
  readonly encoded: Readonly<Record<Encoding, Buffer<ArrayBuffer>>>;
  readonly tag: string;
}

/**
 * Makes the document at the first request for it, as the garbage of writing it would stay with the process from its
 * start, and anew at the first of another day, whose examples are of that day.
 */
export function daily(clock: Clock, write: () => string | Promise<string>): () => Promise<Document> {
  let made: { readonly day: string; readonly document: Promise<Document> } | undefined;
  return () => {
    const now = clock.now();
    const day = now.toISOString().slice(0, 'YYYY-MM-DD'.length);
    if (made?.day !== day) {
      const document = Promise.resolve(write()).then((text) => prepare(withExamplesOfDay(text, now)));
      made = { day, document };
    }
    return made.document;
  };
}

async function prepare(content: string): Promise<Document> {
  const [gzip, br] = await Promise.all([compress(content, 'gzip'), compress(content, 'br')]);
  const tag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return { plain: Buffer.from(content), encoded: { gzip, br }, tag };
}

/** Sends a document, compressed where the client takes it; 304 where it has it already. */
export async function sendDocument(
  c: Context<ApiEnvironment>,
  document: Promise<Document>,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { plain, encoded, tag: of } = await document;
  const encoding = encodingFor(c.req.header('accept-encoding'));
  // The same for each encoding, so a weak one.
  const tag = `W/"${of}"`;
  const all = {
    Vary: 'Accept-Encoding',
    ...headers,
    ETag: tag,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
  };
  const known = c.req
    .header('if-none-match')
    ?.split(',')
    .map((each) => each.trim());
  if (known?.includes(tag)) return new Response(null, { status: 304, headers: all });
  if (!encoding) return new Response(plain, { headers: all });
  return new Response(encoded[encoding], { headers: { ...all, 'Content-Encoding': encoding } });
}
