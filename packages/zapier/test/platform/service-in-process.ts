import { createOAuthApp, updateOrganization } from '@dealkeep/core/accounts';
import { replayWebhook } from '@dealkeep/core/delivering';
import type { Clock } from '@dealkeep/core/foundations';
import { seedDemo } from '@dealkeep/core/installation';
import { markOverdueInvoices } from '@dealkeep/core/records';
import { addUser, type TestDealkeep } from '@dealkeep/testing';
import type { Organization, Service } from './service.ts';

const hourMilliseconds = 3_600_000;

/** A clock that goes on by itself and can be put forward. */
export class MovableClock implements Clock {
  #ahead = 0;

  now(): Date {
    return new Date(Date.now() + this.#ahead);
  }

  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
  }
}

/** The service in this process, its operator acting by the verbs behind the commands. */
export function serviceInProcess(dealkeep: TestDealkeep, clock: MovableClock): Service {
  const { core, sql, baseUrl } = dealkeep;
  return {
    baseUrl,
    createOrganization: async (): Promise<Organization> => {
      const { slug, ownerEmail, createKey } = await dealkeep.createOrganization();
      await seedDemo(core, slug, 'small');
      return {
        slug,
        ownerEmail,
        createKey: async () => (await createKey()).token,
        createPerson: async (permissions) => {
          const { email } = await addUser(dealkeep, { slug }, { permissions });
          return { email };
        },
        setSubscription: async (subscription) => {
          await updateOrganization(sql, slug, { subscription });
        },
        setRequestsPerMinute: async (requestsPerMinute) => {
          await updateOrganization(sql, slug, { requestsPerMinute });
        },
      };
    },
    registerApp: (redirectUri, scopes) =>
      createOAuthApp(core, { name: 'Zapier', redirectUris: [redirectUri], scopes }),
    endAccessToken: async () => clock.advance(hourMilliseconds),
    passDeadlines: async () => {
      await markOverdueInvoices(core);
    },
    replay: async (webhook) => (await replayWebhook(core, { webhook })).count,
  };
}
