import { userAgentOf } from '@dealkeep/contract';
import { requestFailure } from '@dealkeep/core/foundations';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { Agent, request } from 'undici';
import { version } from '../version.ts';

export interface StreamAddress {
  /** Of the server, without a trailing slash. */
  origin: string;
  key: string;
  /** All that the key may read when absent. */
  events: string | undefined;
}

/** What the server of `GET /listen` sends. */
export type StreamMessage =
  | { kind: 'ready'; cursor: string; organization: string; events: string[]; missed: boolean }
  | { kind: 'event'; event: StreamedEvent }
  | { kind: 'cursor'; cursor: string }
  | { kind: 'end' };

export interface StreamedEvent {
  id: string;
  type: string;
  /** Exactly as a webhook is sent it. */
  envelope: string;
}

/** The server answered, and it was no stream; or it ended the stream and said why. */
export class StreamRefused extends Error {
  override readonly name = 'StreamRefused';
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number;

  constructor(message: string, answer: { code?: string; status?: number; retryAfterSeconds?: number } = {}) {
    super(message);
    this.code = answer.code;
    this.status = answer.status;
    this.retryAfterSeconds = answer.retryAfterSeconds ?? 0;
  }
}

/** The server cannot be reached, or the connection broke off. */
export class StreamLost extends Error {
  override readonly name = 'StreamLost';
}

/** Milliseconds. The server sends something every 15 s. */
const silenceLimit = 45_000;
const answerLimit = 15_000;

/**
 * One connection to the stream of events. Reads no faster than its messages are taken. Raises StreamRefused or
 * StreamLost; an aborted signal ends it as a lost connection does.
 */
export async function* openStream(
  { origin, key, events }: StreamAddress,
  cursor: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage, void, undefined> {
  const agent = new Agent({ bodyTimeout: silenceLimit, headersTimeout: answerLimit });
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  let answered = false;
  try {
    const answer = await request(`${origin}/listen`, {
      dispatcher: agent,
      signal,
      ...(events === undefined ? {} : { query: { events } }),
      headers: {
        authorization: `Bearer ${key}`,
        'user-agent': userAgentOf('commandLine', version()),
        accept: 'text/event-stream',
        ...(cursor === undefined ? {} : { 'last-event-id': cursor }),
      },
    });
    if (answer.statusCode !== 200 || !/^text\/event-stream/.test(String(answer.headers['content-type']))) {
      throw refusal(answer.statusCode, answer.headers['retry-after'], await answer.body.text());
    }
    answered = true;
    for await (const text of answer.body.setEncoding('utf8')) {
      parser.feed(text);
      for (const each of messages.splice(0)) {
        const message = understood(each);
        if (message) yield message;
        if (message?.kind === 'end') return;
      }
    }
    throw new StreamLost('the connection broke off');
  } catch (error) {
    if (error instanceof StreamRefused || error instanceof StreamLost) throw error;
    const words = answered ? 'the connection broke off' : requestFailure(error, undefined).message;
    throw new StreamLost(words, { cause: error });
  } finally {
    await agent.destroy();
  }
}

/** Undefined for what this version does not know. */
function understood({ event, id: cursor = '', data }: EventSourceMessage): StreamMessage | undefined {
  const value = JSON.parse(data);
  if (event === undefined)
    return { kind: 'event', event: { id: value.id, type: value.type, envelope: data } };
  if (event === 'ready') return { kind: 'ready', cursor, ...value };
  if (event === 'cursor') return { kind: 'cursor', cursor };
  if (event !== 'end') return undefined;
  if (value.error) throw new StreamRefused(value.error.message, { code: value.error.code });
  return { kind: 'end' };
}

function refusal(status: number, retryAfter: string | string[] | undefined, body: string): StreamRefused {
  const { code, message } = errorOf(body);
  const known = code !== undefined && code !== 'NOT_FOUND';
  return new StreamRefused(
    known
      ? message
      : `The server answered ${status}: it is no Dealkeep, or an older one that offers no stream of events.`,
    { status, ...(known ? { code } : {}), retryAfterSeconds: Number(retryAfter) || 0 },
  );
}

function errorOf(body: string): { code?: string; message: string } {
  try {
    const { code, message } = JSON.parse(body).error;
    return { code, message: String(message) };
  } catch {
    return { message: '' };
  }
}
