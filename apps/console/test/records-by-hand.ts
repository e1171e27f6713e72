import { Browser, type TestDealkeep } from '@dealkeep/testing';
import { textOf } from './page-parts.ts';

/** An owner who is signed in, in an organization in Bratislava, and makes records by hand. */
export async function recordsByHand(dealkeep: TestDealkeep) {
  const organization = await dealkeep.createOrganization();
  await dealkeep.sql`update organizations set time_zone = 'Europe/Bratislava' where id = ${organization.id}`;
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  return {
    organization,
    browser,
    api: dealkeep.as(organization.key),
    /** Makes one by its form; answers the address of its page. */
    create: async (path: string, fields: Record<string, string>): Promise<string> => {
      const done = await browser.fill(`${path}/new`, `${path}/new`, { ...fields, do: 'save' });
      if (done.status !== 303) throw new Error(`Not made: ${done.status} ${textOf(done.html)}`);
      return made(done.location);
    },
    typesOf: async (id: string) => (await dealkeep.eventsOf(organization, id)).map(({ type }) => type),
  };
}

export const made = (location: string | undefined): string => location?.replace(/\?.*/, '') ?? '';
export const idIn = (path: string): string => path.split('/').at(-1) ?? '';
