import type { ApiClient } from '../api-client.ts';
import type { OrganizationOptions, TestDealkeep, TestOrganization } from '../start-dealkeep.ts';

/** An organization of its own, the client of its key, and what happened in it. */
export interface Business {
  organization: TestOrganization;
  api: ApiClient;
  /** Types of all events, in their order. */
  eventTypes(): Promise<string[]>;
  /** The events from now on, oldest first. */
  eventsDuring(work: () => Promise<unknown>): ReturnType<TestDealkeep['eventsOf']>;
}

export async function openBusiness(
  dealkeep: TestDealkeep,
  options: OrganizationOptions = {},
): Promise<Business> {
  const organization = await dealkeep.createOrganization(options);
  return {
    organization,
    api: dealkeep.as(organization.key),
    eventTypes: async () => (await dealkeep.eventsOf(organization)).map(({ type }) => type),
    async eventsDuring(work) {
      const before = new Set((await dealkeep.eventsOf(organization)).map(({ id }) => id));
      await work();
      return (await dealkeep.eventsOf(organization)).filter(({ id }) => !before.has(id));
    },
  };
}

/** The part of a record's answer that its events carry as `data`. */
export const recordText = (answerText: string): string =>
  /^\{"data":(.*)\}$/s.exec(answerText)?.[1] ?? answerText;
