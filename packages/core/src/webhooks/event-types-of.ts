import { type EventType, type FieldProblem, isEventType } from '@dealkeep/contract';
import { invalidFields, Problem } from '../problem.ts';

/** The event types that a list of `events` names. Raises VALIDATION_ERROR (none, or one twice) or UNKNOWN_EVENT. */
export function eventTypesOf(asked: readonly string[]): EventType[] {
  requireKnownEvents(eventProblems(asked), asked);
  return asked.filter(isEventType);
}

const unknownEvent = 'webhook.unknown_event';

/** Raises what is wrong with events: UNKNOWN_EVENT where that is all. */
export function requireKnownEvents(problems: readonly FieldProblem[], asked: readonly string[]): void {
  const [problem] = problems;
  if (problem?.key !== unknownEvent || problems.length > 1) {
    if (problem) throw invalidFields(problems);
    return;
  }
  const event = asked.find((type) => !isEventType(type));
  throw new Problem(unknownEvent, problem.values, { detail: { event }, about: problem.path });
}

/** What is wrong with a list of `events`, of which some may be refused already; what is unknown is told as one. */
export function eventProblems(asked: readonly (string | undefined)[]): FieldProblem[] {
  if (asked.length === 0) return [{ path: 'events', key: 'field.too_few', values: { min: 1 } }];
  const met = new Set<string>();
  const unknown = new Map<string, string>();
  const repeated: FieldProblem[] = [];
  for (const [index, type] of asked.entries()) {
    if (type === undefined) continue;
    const path = `events[${index}]`;
    if (met.has(type)) repeated.push({ path, key: 'field.duplicate' });
    else if (!isEventType(type)) unknown.set(type, path);
    met.add(type);
  }
  const [path] = unknown.values();
  const names = [...unknown.keys()].slice(0, mostNames).join('", "');
  return [...(path ? [{ path, key: unknownEvent, values: { event: names } } as const] : []), ...repeated];
}

const mostNames = 20;
