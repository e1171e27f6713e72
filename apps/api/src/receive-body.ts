import type { IncomingMessage } from 'node:http';
import { bodyTypesOf, limits } from '@dealkeep/contract';
import { droppedBodyBytes, Problem, type RawBody } from '@dealkeep/core';

/** Receives the body of a request, at most 1 MiB. Raises BAD_REQUEST when it is larger or ends too early. */
export async function receiveBody(request: IncomingMessage, method: string): Promise<RawBody> {
  const bytes = await bytesOf(request);
  return { bytes, parse: () => parseJson(bytes, request.headers['content-type'], bodyTypesOf(method)) };
}

/** Reads by events, because an iterator over the stream costs more than all else that is done with a small body. */
function bytesOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limits.bodyBytes) chunks.push(chunk);
      else if (size > droppedBodyBytes) request.destroy();
    });
    request.once('end', () => {
      if (size > limits.bodyBytes) reject(new Problem('request.too_large'));
      else resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    request.once('error', (error) => reject(request.destroyed ? new Problem('request.interrupted') : error));
    request.once('close', () => {
      // Making an error that nobody reads costs more than the rest of a small body.
      if (request.readableEnded) return;
      reject(new Problem(size > limits.bodyBytes ? 'request.too_large' : 'request.interrupted'));
    });
  });
}

function parseJson(bytes: Buffer, contentType: string | undefined, types: readonly string[]): unknown {
  if (!types.includes(contentType?.split(';')[0]?.trim().toLowerCase() ?? '')) {
    throw new Problem('request.content_type');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) throw new Problem('request.not_json');
    if (error instanceof TypeError) throw new Problem('request.not_utf8');
    throw error;
  }
}
