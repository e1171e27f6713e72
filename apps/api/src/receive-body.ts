import type { IncomingMessage } from 'node:http';
import { limits } from '@dealkeep/contract';
import { Problem, type RawBody } from '@dealkeep/core';

/**
 * Receives the body of a request, at most 1 MiB. What comes beyond is read and dropped for a while, so that the
 * client can finish sending and then read the error.
 */
export async function receiveBody(request: IncomingMessage): Promise<RawBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size <= limits.bodyBytes) chunks.push(chunk);
      else if (size > 16 * limits.bodyBytes) break;
    }
  } catch (error) {
    if (request.destroyed) throw new Problem('request.interrupted');
    throw error;
  }
  if (size > limits.bodyBytes) throw new Problem('request.too_large');
  const bytes = Buffer.concat(chunks);
  return { bytes, parse: () => parseJson(bytes, request.headers['content-type']) };
}

function parseJson(bytes: Buffer, contentType: string | undefined): unknown {
  if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new Problem('request.content_type');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) throw new Problem('request.not_json');
    throw error;
  }
}
