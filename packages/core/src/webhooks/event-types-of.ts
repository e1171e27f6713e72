import { type EventType, type FieldProblem, isEventType } from '@dealkeep/contract';
import { invalidField, invalidFields, Problem } from '../problem.ts';

/** The event types that a list of `events` names. Raises VALIDATION_ERROR (none, or one twice) or UNKNOWN_EVENT. */
export function eventTypesOf(asked: readonly string[]): EventType[] {
  if (asked.length === 0) throw invalidField('events', 'field.too_few', { min: 1 });
  const met = new Set<string>();
  const repeated = asked.flatMap((type, index): FieldProblem[] => {
    if (met.has(type)) return [{ path: `events[${index}]`, key: 'field.duplicate' }];
    met.add(type);
    return [];
  });
  if (repeated.length > 0) throw invalidFields(repeated);
  return asked.map((type) => {
    if (isEventType(type)) return type;
    throw new Problem('webhook.unknown_event', { event: type }, { detail: { event: type } });
  });
}
