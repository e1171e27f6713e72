import { type EventType, events, eventTypes, isEventType } from '@dealkeep/contract';
import { authorize, requireScope, scopeRefusal } from '../credentials/authorize.ts';
import type { Credential } from '../credentials/credential.ts';
import { Problem } from '../problem.ts';

/**
 * The events that a credential may listen to: those asked for, or all that its scopes, and behind a connection the
 * person's role, may read. Raises what forbids it, as for a REST hook.
 */
export function chooseEvents(
  credential: Credential,
  asked: readonly string[] | undefined,
): readonly EventType[] {
  authorize(credential, { scope: 'webhooks:manage', refusesLegacyKeys: true });
  if (!asked) return eventTypes.filter((type) => !scopeRefusal(credential, events[type].scope));
  return [...new Set(asked)].map((type) => {
    if (!isEventType(type))
      throw new Problem('webhook.unknown_event', { event: type }, { detail: { event: type } });
    requireScope(credential, events[type].scope);
    return type;
  });
}
