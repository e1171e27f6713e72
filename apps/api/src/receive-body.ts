import type { IncomingMessage } from 'node:http';
import { asciiLowerCase, bodyTypesOf, limits } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import type { RawBody } from '@dealkeep/core/change';
import { type Arrival, droppedBodyBytes, Problem } from '@dealkeep/core/foundations';
import type { Credential } from '@dealkeep/core/identity';
import type { ApiContext } from './api-environment.ts';

/**
 * Receives the body of a request of a credential, at most 1 MiB. Raises BAD_REQUEST when it is larger, ends too
 * early or does not grow, RATE_LIMITED or SERVICE_UNAVAILABLE where there is no room for it. It is held until
 * `answerCounted` has answered.
 */
export async function receiveBody(
  core: Core,
  c: ApiContext,
  { id, organization }: Credential,
): Promise<RawBody> {
  const { incoming } = c.env;
  const arrival = core.reception.begin({ credential: id, organization: organization.id });
  c.env.arrival = arrival;
  const bytes = await bytesOf(incoming, arrival);
  const types = bodyTypesOf(c.req.method);
  return { bytes, parse: () => parseJson(bytes, incoming.headers['content-type'], types) };
}

/** Reads by events, because an iterator over the stream costs more than all else that is done with a small body. */
function bytesOf(request: IncomingMessage, arrival: Arrival): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let size = 0;
    let refused = false;
    const refuse = (problem: unknown): void => {
      refused = true;
      reject(problem);
    };
    const keep = (chunk: Buffer): void => {
      try {
        arrival.add(chunk);
      } catch (problem) {
        refuse(problem);
      }
    };
    arrival.stalled.catch(refuse);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > droppedBodyBytes) request.destroy();
      else if (refused || size > limits.bodyBytes) arrival.drop(chunk);
      else keep(chunk);
    });
    request.once('end', () => {
      if (size > limits.bodyBytes) reject(new Problem('request.too_large'));
      else resolve(arrival.complete());
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
  if (!types.includes(asciiLowerCase(contentType?.split(';')[0]?.trim() ?? ''))) {
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
