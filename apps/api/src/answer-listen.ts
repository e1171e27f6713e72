import { type Language, languageOf } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import type { EventStream, StreamItem } from '@dealkeep/core/delivering';
import { Problem } from '@dealkeep/core/foundations';
import { answerCounted, callerOf } from './answer-request.ts';
import type { ApiContext } from './api-environment.ts';
import { storyOf } from './request-story.ts';

/**
 * `GET /listen?events=a,b`: the organization's events as they happen, as server-sent events (HTML standard, 9.2),
 * for `dealkeep listen`. Stands outside of the public API; the credential rules are the same, and `webhooks:manage`
 * is needed. `Last-Event-ID` goes on where an earlier stream broke off. `HEAD` answers the same without a stream,
 * and so takes none of the key's places.
 */
export function answerListen(core: Core, c: ApiContext): Promise<Response> {
  storyOf(c).operation = 'listen';
  return answerCounted(core, c, async (credential, headers) => {
    const { 'last-event-id': cursor, 'accept-language': languages } = c.env.incoming.headers;
    const request = {
      credential,
      caller: callerOf(c),
      events: askedEvents(new URLSearchParams(c.req.url.split('?')[1])),
      cursor: cursor === undefined ? undefined : String(cursor),
    };
    headers['Content-Type'] = 'text/event-stream';
    headers['Cache-Control'] = 'no-store, no-transform';
    headers['Connection'] = 'close';
    // Else nginx would collect the stream, and events would come late.
    headers['X-Accel-Buffering'] = 'no';
    if (c.req.method === 'HEAD') {
      core.eventStreams.check(request);
      return new Response(null, { headers });
    }
    const stream = await core.eventStreams.open(request);
    // Cuts the connection of a listener that takes nothing any more.
    void stream.overdue.then(() => c.env.incoming.socket.destroy());
    return new Response(bodyOf(stream, languageOf(languages)), { headers });
  });
}

/** Raises UNSUPPORTED_FILTER for anything but `events`. */
function askedEvents(query: URLSearchParams): readonly string[] | undefined {
  for (const parameter of query.keys()) {
    if (parameter !== 'events')
      throw new Problem('parameter.unsupported', { parameter }, { detail: { parameter } });
  }
  return query.get('events')?.split(',');
}

/** Pulled by the connection, so that nothing is read that cannot be sent. */
function bodyOf(stream: EventStream, language: Language): ReadableStream<Uint8Array> {
  const items = stream.items();
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        const { value: item, done } = await items.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(encodeItem(item, language)));
      },
      cancel: () => stream.close(),
    },
    { highWaterMark: 0 },
  );
}

/** An envelope has no line breaks outside of its JSON strings, where they are escaped. */
function encodeItem(item: StreamItem, language: Language): string {
  switch (item.kind) {
    case 'ready': {
      const { kind: _, cursor, ...facts } = item;
      return `event: ready\nid: ${cursor}\ndata: ${JSON.stringify(facts)}\n\n`;
    }
    case 'events':
      return item.envelopes.map((envelope) => `data: ${envelope}\n\n`).join('');
    case 'cursor':
      return `: alive\nevent: cursor\nid: ${item.cursor}\ndata: {}\n\n`;
    case 'end':
      return `event: end\ndata: ${JSON.stringify(item.problem?.body(language) ?? {})}\n\n`;
  }
}
