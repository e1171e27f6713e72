import type { EventData, EventType, WebhookEnvelope } from './registry.ts';
import { isObject } from './transport/index.ts';

/** The envelope of one event type, its `data` typed as that event's record. */
export interface EnvelopeOf<Type extends EventType> extends Omit<WebhookEnvelope, 'type' | 'data'> {
  type: Type;
  data: EventData[Type];
}

/**
 * What a delivery holds; `switch (envelope.type)` tells which. A newer API may send types that are not listed here:
 * answer those 2xx and ignore them, in the `default` branch.
 */
export type Envelope = { [Type in EventType]: EnvelopeOf<Type> }[EventType];

/** Whether everything is there that an envelope always has (rule events 10); further members pass. */
export const isEnvelope = (value: unknown): value is Envelope =>
  isObject(value) &&
  ['id', 'type', 'timestamp', 'api_version'].every((member) => typeof value[member] === 'string') &&
  isObject(value['organization']) &&
  typeof value['test'] === 'boolean' &&
  isObject(value['data']);
