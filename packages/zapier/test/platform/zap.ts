import { type Connection, runAs } from './connection.ts';
import type { HookReceiver, ReceivedRequest } from './hook-receiver.ts';
import type { Platform } from './platform.ts';

type Values = Readonly<Record<string, unknown>>;
export type Output = Readonly<Record<string, unknown>>;

/** A Zap that begins with one of our triggers, driven step by step as Zapier drives it. */
export interface Zap {
  readonly targetUrl: string;
  /** What the subscription left with Zapier: the hook's id and secret. */
  readonly subscription: Values;
  turnOn(): Promise<void>;
  turnOff(): Promise<void>;
  /** Waits for the next delivery as it arrives. */
  delivery(): Promise<ReceivedRequest>;
  /** Hands a delivery to the trigger; its result starts that many runs. */
  runs(delivery: ReceivedRequest): Promise<Output[]>;
  /** "Test trigger" in the editor. */
  samples(): Promise<Output[]>;
}

export function makeZap(
  platform: Platform,
  receiver: HookReceiver,
  connection: Connection,
  trigger: string,
  inputData: Values = {},
): Zap {
  const targetUrl = receiver.targetUrl();
  const operation = `triggers.${trigger}.operation`;
  const base = { inputData, targetUrl, meta: {} };
  const run = (method: string, more: Values = {}) =>
    runAs(platform, connection, `${operation}.${method}`, { ...base, ...more });
  let subscription: Values = {};
  const outputs = (result: unknown): Output[] => {
    if (!Array.isArray(result)) throw new Error(`${trigger} answered no list but ${JSON.stringify(result)}.`);
    return result;
  };
  return {
    targetUrl,
    get subscription() {
      return subscription;
    },
    turnOn: async () => {
      subscription = Object(await run('performSubscribe'));
    },
    turnOff: async () => {
      await run('performUnsubscribe', { subscribeData: subscription });
    },
    delivery: () => receiver.next(targetUrl),
    runs: async (rawRequest) =>
      outputs(
        await run('perform', {
          subscribeData: subscription,
          rawRequest,
        }),
      ),
    samples: async () => outputs(await run('performList')),
  };
}
