import type { TriggerDeclaration } from '../catalog/triggers.ts';
import type { ApiRecord } from '../records/api-record.ts';
import type { DeliveredEvent } from './delivered-event.ts';
import { eventOutput, toldBy } from './event-output.ts';
import { isToldByMove, wantedEvents } from './wanted-events.ts';

/**
 * What a delivered event gives to a workflow; undefined where it starts none. Filters and watched fields are not
 * looked at: the service has decided them, and what its hook does not ask for is not sent.
 */
export function runOfEvent(
  declaration: TriggerDeclaration,
  input: Readonly<Record<string, unknown>>,
  { type, envelope }: Pick<DeliveredEvent, 'type' | 'envelope'>,
): ApiRecord | undefined {
  const wanted = wantedEvents(declaration, input);
  if (!wanted.events.includes(type) || isToldByMove(declaration, wanted, type, envelope)) return undefined;
  return eventOutput(type, envelope, toldBy(declaration, input));
}
