import { type EventType, events } from '@dealkeep/contract';
import { labelOfResource } from '../registry.ts';

/** What an event is about, for people: `Lead`. */
export const labelOfEntity = (type: EventType): string => labelOfResource(events[type].entity);
