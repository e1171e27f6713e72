import { connectByOauth } from '../../platform/connect.ts';
import type { Connection } from '../../platform/connection.ts';
import type { HookReceiver } from '../../platform/hook-receiver.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Organization, Service } from '../../platform/service.ts';
import { makeWorld, type World } from '../world.ts';

/** A service, the published integration, and the side of Zapier that receives deliveries. */
export interface Day {
  readonly service: Service;
  readonly platform: Platform;
  readonly receiver: HookReceiver;
}

/** The day of one organization, whose owner has connected it. */
export type Today = ReturnType<typeof makeToday>;

export function makeToday(dayOf: () => Day) {
  let begun: { day: Day; organization: Organization; world: World } | undefined;
  const now = () => {
    if (!begun) throw new Error('The day has not begun yet.');
    return begun;
  };
  const worldOf = async (connection: Connection): Promise<World> => {
    const world = makeWorld(async () => ({ ...dayOf(), connection }));
    await world.open();
    return world;
  };
  return {
    begin: async (): Promise<void> => {
      const day = dayOf();
      const organization = await day.service.createOrganization();
      const connection = await connectByOauth(day.service, day.platform, organization);
      begun = { day, organization, world: await worldOf(connection) };
    },
    get service() {
      return now().day.service;
    },
    get platform() {
      return now().day.platform;
    },
    get organization() {
      return now().organization;
    },
    /** The world of the owner's connection. */
    get world() {
      return now().world;
    },
    worldOf,
    /** The owner connects once more. */
    connect: () => connectByOauth(now().day.service, now().day.platform, now().organization),
    /** What Zapier does to see whether an account works. */
    testAccount: (authData: object) => now().day.platform.run('authentication.test', { authData, meta: {} }),
  };
}
