import { deliveryHeaders, signingKeys } from '@dealkeep/core/delivering';
import { type RequestOutcome, sendRequest } from '@dealkeep/core/foundations';
import { Agent } from 'undici';
import { type FollowOptions, follow } from './follow.ts';
import type { StreamedEvent } from './open-stream.ts';

export interface ForwardOptions extends FollowOptions {
  forwardTo: URL;
  secret: string;
  /** After each attempt. */
  forwarded(event: StreamedEvent, outcome: RequestOutcome): void;
}

/** Posts under way at once, as to any webhook. While so many hang, no more is read from the stream. */
const concurrency = 4;

/**
 * Posts each event to a local address as a webhook would be sent it: once, with the usual 10 s. What fails is told
 * and not tried again. Ends when the signal is aborted; raises what `follow` raises.
 */
export async function forwardEvents(options: ForwardOptions): Promise<void> {
  const { forwardTo, secret, signal, forwarded } = options;
  // A connection for each: a program that is being worked on restarts often.
  const agent = new Agent({ pipelining: 0, headersTimeout: 0, bodyTimeout: 0 });
  const keys = signingKeys(secret);
  const underWay = new Set<Promise<void>>();

  const post = async (event: StreamedEvent): Promise<void> => {
    const { id: eventId, type, envelope: body } = event;
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = deliveryHeaders([keys], { eventId, type, body, attempt: 1, timestamp });
    const outcome = await sendRequest(agent, { url: forwardTo, headers, body, signal });
    if (!signal.aborted) forwarded(event, outcome);
  };
  try {
    for await (const event of follow(options)) {
      const posting = post(event).finally(() => underWay.delete(posting));
      underWay.add(posting);
      if (underWay.size >= concurrency) await Promise.race(underWay);
    }
  } finally {
    await Promise.all(underWay);
    await agent.destroy();
  }
}
