import type { ApiClient, TestDealkeep, TestOrganization } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { type Connection, connectionTo } from './engine.ts';

/** An organization, its key as a flow's connection, and its API as the business itself uses it. */
export interface World {
  readonly organization: TestOrganization;
  readonly api: ApiClient;
  readonly auth: Connection;
}

export async function newWorld(dealkeep: TestDealkeep): Promise<World> {
  const { organization, api } = await openBusiness(dealkeep);
  return { organization, api, auth: connectionTo(dealkeep.baseUrl, organization.key) };
}

/** What an error says that something ends with. */
export const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
