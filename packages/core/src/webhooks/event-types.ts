import { events, eventTypes, isEventType, sampleEnvelope } from '@dealkeep/contract';
import { Problem } from '../problem.ts';
import { reads } from '../verb/verb.ts';

export const listEventTypes = reads('webhooks.events', async () => ({
  data: eventTypes.map((type) => ({
    type,
    label: events[type].label.en,
    description: events[type].description.en,
    entity: events[type].entity,
  })),
  next_cursor: null,
  has_more: false,
}));

export const getSample = reads('webhooks.sample', async ({ credential, now }, { path }) => {
  if (!isEventType(path.type)) throw new Problem('event_type.not_found');
  const { id, slug } = credential.organization;
  return [sampleEnvelope(path.type, { id, slug }, now)];
});
