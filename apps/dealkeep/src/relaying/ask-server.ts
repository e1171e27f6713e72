import { mcpPath, userAgentOf } from '@dealkeep/contract';
import { requestFailure } from '@dealkeep/core/foundations';
import { createParser } from 'eventsource-parser';
import { type Dispatcher, request } from 'undici';
import * as z from 'zod';
import { oneLine } from '../one-line.ts';
import { version } from '../version.ts';

/** Where the relay leads, and whose tools it offers. */
export interface RelayTarget {
  /** Of the server, without a trailing slash. */
  readonly origin: string;
  readonly key: string;
  /** The usual ones when absent. */
  readonly tools?: string | undefined;
  readonly readonly: boolean;
}

/** A message of the protocol, to the server. */
export interface Question {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  /** What the server tells before it answers. */
  tell?(notification: { method: string; params?: Record<string, unknown> | undefined }): Promise<void>;
}

/** The server cannot be reached, or answered what is not the protocol; the message is a sentence for a person. */
export class ServerLost extends Error {
  override readonly name = 'ServerLost';
}

/** What the server answered: one of both. */
export type Reply =
  | { readonly result: Record<string, unknown> }
  | { readonly error: { code: number; message: string; data?: unknown } };

/** The revision that is spoken with the server, whatever the client speaks. */
export const serverRevision = '2026-07-28';

const replySchema = z.union([
  z.object({ result: z.record(z.string(), z.unknown()) }),
  z.object({ error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }) }),
]);
const notificationSchema = z.object({
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
});
const refusalSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Asks the server, by one request of its own. Raises ServerLost. */
export async function askServer(target: RelayTarget, question: Question): Promise<Reply> {
  const { method, params, signal } = question;
  let answer: Dispatcher.ResponseData;
  try {
    answer = await request(addressOf(target), {
      method: 'POST',
      ...(signal ? { signal } : {}),
      headers: {
        authorization: `Bearer ${target.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'user-agent': userAgentOf('commandLine', version()),
        'mcp-protocol-version': serverRevision,
        'mcp-method': method,
        ...nameHeader(params),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    if (/^text\/event-stream/.test(String(answer.headers['content-type']))) {
      return await lastOf(answer.body, question);
    }
    return understood(target, answer.statusCode, await answer.body.text());
  } catch (error) {
    if (signal?.aborted || error instanceof ServerLost) throw error;
    const { message } = requestFailure(error, undefined);
    throw new ServerLost(`The server at ${target.origin} cannot be reached: ${message}`, { cause: error });
  }
}

const addressOf = ({ origin, tools, readonly }: RelayTarget): string =>
  [origin + mcpPath, tools, readonly ? 'readonly' : undefined].filter((part) => part !== undefined).join('/');

/** What a request is about stands in a header, too; as base64 where a header cannot hold it. */
function nameHeader({ name, uri }: Question['params']): Record<string, string> {
  const value = name ?? uri;
  if (typeof value !== 'string') return {};
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?');
  return { 'mcp-name': isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=` };
}

function understood({ origin }: RelayTarget, status: number, body: string): Reply {
  const value = parsed(body);
  const reply = replySchema.safeParse(value);
  if (reply.success) return reply.data;
  const refusal = refusalSchema.safeParse(value);
  if (refusal.success && refusal.data.error.code !== 'NOT_FOUND') {
    const { code, message } = refusal.data.error;
    throw new ServerLost(`The server at ${origin} refused: ${code}: ${oneLine(message)}`);
  }
  throw new ServerLost(
    `The server at ${origin} answered ${status}: it is no Dealkeep, or one without AI assistants`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The answer at the end of a stream. */
async function lastOf(body: Dispatcher.ResponseData['body'], { tell }: Question): Promise<Reply> {
  const received: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => received.push(data) });
  for await (const text of body.setEncoding('utf8')) {
    parser.feed(text);
    for (const data of received.splice(0)) {
      const value = parsed(data);
      const reply = replySchema.safeParse(value);
      if (reply.success) return reply.data;
      const notification = notificationSchema.safeParse(value);
      if (notification.success) await tell?.(notification.data);
    }
  }
  throw new ServerLost('The server ended its answer early');
}
