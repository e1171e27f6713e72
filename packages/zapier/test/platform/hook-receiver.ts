import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from './listen.ts';

/** A delivery as Zapier hands it to `perform`. */
export interface ReceivedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string;
}

export interface HookReceiver {
  /** A fresh address for a Zap. */
  targetUrl(): string;
  /** The next delivery to an address; waits for it. Rejects when none comes in time. */
  next(targetUrl: string): Promise<ReceivedRequest>;
  /** From now on the address answers 410, as Zapier does after an unsubscribe. */
  gone(targetUrl: string): void;
  close(): Promise<void>;
}

/** What is overdue is told within a minute. */
const patience = 90_000;

/** The side of Zapier that receives deliveries; it renames the headers as Zapier does. */
export async function startHookReceiver(): Promise<HookReceiver> {
  const received = new Map<string, ReceivedRequest[]>();
  const waiting = new Map<string, (request: ReceivedRequest) => void>();
  const ended = new Set<string>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const delivery = {
      method: request.method ?? '',
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [zapierName(name), String(value)]),
      ),
      content: await text(request),
    };
    response.statusCode = ended.has(path) ? 410 : 200;
    response.end();
    if (ended.has(path)) return;
    const waiter = waiting.get(path);
    waiting.delete(path);
    if (waiter) waiter(delivery);
    else received.set(path, [...(received.get(path) ?? []), delivery]);
  });
  const origin = await listen(server);
  let count = 0;
  const pathOf = (targetUrl: string) => new URL(targetUrl).pathname;
  return {
    targetUrl: () => {
      count += 1;
      return `${origin}/hooks/standard/${count}/`;
    },
    next: (targetUrl) => {
      const path = pathOf(targetUrl);
      const [first, ...rest] = received.get(path) ?? [];
      if (first) {
        received.set(path, rest);
        return Promise.resolve(first);
      }
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`Nothing was delivered to ${targetUrl}.`)), patience);
        waiting.set(path, (delivery) => {
          clearTimeout(timer);
          resolve(delivery);
        });
      });
    },
    gone: (targetUrl) => ended.add(pathOf(targetUrl)),
    close: () => close(server),
  };
}

/** `webhook-id` → `Http-Webhook-Id` */
const zapierName = (name: string): string =>
  ['http', ...name.split('-')].map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('-');
