import { eventually } from '@dealkeep/testing';
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { expect, onTestFinished } from 'vitest';

export interface Heard {
  id: string;
  type: string;
  data: { id: string; name?: string };
}

/** Somebody who listens to the stream of events, as any client of server-sent events would. */
export class Listener {
  readonly response: Response;
  readonly messages: EventSourceMessage[] = [];
  /** Exactly as they came. */
  readonly envelopes: string[] = [];
  /** Where to go on, as the stream has said last. */
  cursor: string | undefined;
  closed = false;
  readonly #controller: AbortController;

  constructor(response: Response, controller: AbortController) {
    this.response = response;
    this.#controller = controller;
  }

  get events(): Heard[] {
    return this.envelopes.map((text) => JSON.parse(text));
  }

  /** The last words: an error, or nothing when the stream is to be taken up again. */
  get end(): { error?: { code: string } } | undefined {
    const last = this.messages.find(({ event }) => event === 'end');
    return last && JSON.parse(last.data);
  }

  async read(): Promise<void> {
    const parser = new EventSourceParserStream({ onError: 'terminate' });
    try {
      const texts = this.response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(parser);
      for await (const message of texts ?? []) {
        this.messages.push(message);
        if (message.event === undefined) this.envelopes.push(message.data);
        if (message.event === 'cursor') this.cursor = message.id;
      }
    } catch {
      // Cut off, by either side.
    }
    this.closed = true;
  }

  /** Waits until so many events have come. */
  async heard(count: number): Promise<Heard[]> {
    await this.until(() => this.envelopes.length >= count);
    return this.events;
  }

  async until(condition: () => boolean): Promise<void> {
    await eventually(() => expect(condition()).toBe(true));
  }

  close(): void {
    this.#controller.abort();
  }
}

export interface ListenOptions {
  events?: string;
  cursor?: string | undefined;
  headers?: Record<string, string>;
}

/** Opens a stream; one that was refused has only its response. Ends with the test. */
export async function listen(
  origin: string,
  key: string,
  { events, cursor, headers = {} }: ListenOptions = {},
): Promise<Listener> {
  const controller = new AbortController();
  const response = await fetch(`${origin}/listen${events === undefined ? '' : `?events=${events}`}`, {
    headers: {
      Authorization: `Bearer ${key}`,
      ...(cursor === undefined ? {} : { 'Last-Event-ID': cursor }),
      ...headers,
    },
    signal: controller.signal,
  });
  onTestFinished(() => controller.abort());
  const listener = new Listener(response, controller);
  if (response.ok) {
    void listener.read();
    // The first cursor: what happens from now on is heard.
    await listener.until(() => listener.cursor !== undefined || listener.closed);
  }
  return listener;
}

/** `403 FORBIDDEN` */
export async function refusal({ response }: Listener): Promise<string> {
  const body = (await response.json()) as { error: { code: string } };
  return `${response.status} ${body.error.code}`;
}
