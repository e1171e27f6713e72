import { beforeAll, describe } from 'vitest';
import type { Setting } from '../platform/setting.ts';
import { actionPromises } from './actions.ts';
import { badInputPromises } from './bad-input.ts';
import { businessPromises } from './business.ts';
import { keyConnectionPromises } from './connection.ts';
import { deliveryPromises } from './deliveries.ts';
import { dropdownPromises } from './dropdowns.ts';
import { findOrCreatePromises } from './find-or-create.ts';
import { formPromises } from './forms.ts';
import { narrowedZapPromises } from './narrowed-zaps.ts';
import { eachNewOrUpdatedPromises, newOrUpdatedPromises } from './new-or-updated.ts';
import { outputPromises } from './outputs.ts';
import { productPromises } from './products.ts';
import { searchPromises } from './searches.ts';
import { makeWorld, type World } from './world.ts';
import { zapPromises } from './zaps.ts';

type Promises = Readonly<Record<string, (world: World) => void>>;

/** Kept however the account is connected: what begins a Zap. */
export const zapPromiseGroups: Promises = {
  'a Zap': zapPromises,
};

export const narrowedZapPromiseGroups: Promises = {
  'a Zap that is narrowed': narrowedZapPromises,
};

export const newOrUpdatedPromiseGroups: Promises = {
  'a Zap for what is new or updated': newOrUpdatedPromises,
};

export const eachNewOrUpdatedPromiseGroups: Promises = {
  'a Zap for what is new or updated of a kind': eachNewOrUpdatedPromises,
};

/** The steps of most Zaps. */
export const actionPromiseGroups: Promises = {
  'an action': actionPromises,
};

export const searchPromiseGroups: Promises = {
  'a search': searchPromises,
  'a find-or-create': findOrCreatePromises,
};

export const furtherPromiseGroups: Promises = {
  'a dropdown': dropdownPromises,
  'an action of the daily business': businessPromises,
  'a form': formPromises,
  'a step with bad input': badInputPromises,
  'a delivery': deliveryPromises,
};

/**
 * The sources show the last of all 45 events (`every-event.long.test.ts`), some of which no API operation causes.
 */
export const promisesOfBuilds: Promises = {
  ...zapPromiseGroups,
  ...narrowedZapPromiseGroups,
  ...newOrUpdatedPromiseGroups,
  ...eachNewOrUpdatedPromiseGroups,
  ...actionPromiseGroups,
  ...searchPromiseGroups,
  ...furtherPromiseGroups,
  'what a user maps fields from has the keys of a live delivery': outputPromises,
};

/** Kept in the private integration. */
export const promisesWithKey: Promises = {
  'the connection': keyConnectionPromises,
  'what is to be sold': productPromises,
};

/**
 * What the integration promises to a user, whether it runs from its sources or from the unzipped build. Each group
 * asks for a setting, one of its own where limits hold, so that none uses up another's requests of the minute; its
 * organization holds the small demo: a pipeline with stages, services to book, products to order.
 */
export function itKeepsItsPromises(groups: Promises, settingFor: () => Promise<Setting>): void {
  for (const [name, group] of Object.entries(groups)) {
    describe(name, () => {
      const world = makeWorld(settingFor);
      beforeAll(() => world.open());
      group(world);
    });
  }
}
