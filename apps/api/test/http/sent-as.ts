import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** How what is encoded so is read. */
export const encodings = { br: brotliDecompressSync, gzip: gunzipSync };

export interface Received {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly bytes: Buffer;
}

/** An answer as it was sent: `fetch` undoes compression by itself. */
export const sentAs = (
  to: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  body?: string,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    const sent = request(to, { method, headers });
    sent.once('error', reject).once('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) });
    });
    sent.end(body);
  });
