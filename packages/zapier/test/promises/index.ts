import { beforeAll, describe } from 'vitest';
import type { Setting } from '../platform/setting.ts';
import { actionPromises } from './actions.ts';
import { businessPromises } from './business.ts';
import { connectionPromises } from './connection.ts';
import { dropdownPromises } from './dropdowns.ts';
import { outputPromises } from './outputs.ts';
import { searchPromises } from './searches.ts';
import { makeWorld, type World } from './world.ts';
import { zapPromises } from './zaps.ts';

const groups: Record<string, (world: World) => void> = {
  'the connection': connectionPromises,
  'a dropdown': dropdownPromises,
  'a Zap': zapPromises,
  'what a user maps fields from has the keys of a live delivery': outputPromises,
  'an action': actionPromises,
  'an action of the daily business': businessPromises,
  'a search': searchPromises,
};

/**
 * What the integration promises to a user, whether it runs from its sources or from the unzipped build. Each group asks
 * for a setting of its own, so that none uses up another's requests of the minute; its organization holds the small
 * demo: a pipeline with stages, services to book, products to order.
 */
export function itKeepsItsPromises(settingFor: () => Promise<Setting>): void {
  for (const [name, promises] of Object.entries(groups)) {
    describe(name, () => {
      const world = makeWorld(settingFor);
      beforeAll(() => world.open());
      promises(world);
    });
  }
}
