import { type EventType, events, eventTypes, isEventType } from '@dealkeep/contract';
import { invalidParameter, Problem } from '../../foundations/problem.ts';
import {
  authorize,
  keptFromLegacyKeys,
  requireActiveOrganization,
  scopeRefusal,
} from '../../identity/credentials/authorize.ts';
import type { Credential } from '../../identity/credentials/credential.ts';

/** What reading an event of a type asks of a credential: the same as reading its record. */
const needsOf = (type: EventType) => ({
  scope: events[type].scope,
  refusesLegacyKeys: keptFromLegacyKeys.has(events[type].entity),
});

/** Raises what reading the record would: FORBIDDEN and its like. */
export const requireReadable = (credential: Credential, type: EventType): void =>
  authorize(credential, needsOf(type));

const isReadable = (credential: Credential, type: EventType): boolean => {
  const { scope, refusesLegacyKeys } = needsOf(type);
  return !(credential.legacy && refusesLegacyKeys) && !scopeRefusal(credential, scope);
};

/** The types that a list of `types` names. Raises INVALID_PARAMETER for one that there is not. */
export function typesOf(asked: string): EventType[] {
  const names = [...new Set(asked.split(','))];
  const types = names.filter(isEventType);
  const unknown = names.find((name) => !isEventType(name));
  if (unknown === undefined) return types;
  throw invalidParameter({ path: 'types', key: 'webhook.unknown_event', values: { event: unknown } });
}

/**
 * The types of events that a credential is shown: those asked for, or all that it may read; behind a connection its
 * user's role is asked as well. Raises what forbids one that was asked for, or all.
 */
export function readableTypes(
  credential: Credential,
  asked: readonly EventType[] | undefined,
): readonly EventType[] {
  requireActiveOrganization(credential);
  if (asked) {
    for (const type of asked) requireReadable(credential, type);
    return asked;
  }
  const readable = eventTypes.filter((type) => isReadable(credential, type));
  if (readable.length > 0) return readable;
  const [first] = eventTypes;
  throw (first && scopeRefusal(credential, events[first].scope)) ?? new Problem('credential.legacy');
}
