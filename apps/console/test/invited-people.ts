import { createRole } from '@dealkeep/core/accounts';
import { Browser, type TestDealkeep, type VisitedPage } from '@dealkeep/testing';

export const usersPath = '/settings/users';
export const invitePath = `${usersPath}/invitations/new`;
const save = { do: 'save' };
/** What somebody fills in who accepts an invitation and was never here. */
export const begin = { name: 'Eva Nová', password: 'a password of Eva', do: 'begin' };

export const tokenOf = (link: string) => ({
  token: new URL(link, 'http://own').searchParams.get('token') ?? '',
});
export const nobodyAt = (organization: { slug: string }, name = 'eva') =>
  `${name}@${organization.slug}.example`;
/** Whose organization a browser shows. */
export const isIn = async (browser: Browser): Promise<string | undefined> =>
  /class="brand"[^>]*><span>([^<]*)/.exec((await browser.get('/settings/account')).html)?.[1];

/** Owners who invite, and people who accept. */
export function invitedPeople(dealkeep: TestDealkeep) {
  const { core, sql } = dealkeep;
  /** An owner who is signed in, in an organization of their own with a role. */
  const owner = async () => {
    const organization = await dealkeep.createOrganization();
    await sql`update organizations set name = ${organization.slug} where id = ${organization.id}`;
    await createRole(core, { organization: organization.slug, name: 'Sales', permissions: 'leads.view=all' });
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const invite = (email: string, role = 'Sales') =>
      browser.fill(invitePath, invitePath, { email, role, ...save });
    return { organization, browser, invite };
  };
  /** The path of the link that a page shows. */
  const linkOn = ({ html }: VisitedPage): string => {
    const link = /id="secret"[^>]*value="([^"]*)"/.exec(html)?.[1] ?? '';
    return link.replace(core.origin, '');
  };
  const accept = async (link: string, fields: Record<string, string>, browser = new Browser(dealkeep)) => {
    const done = await browser.submit(await browser.get(link), '/invitation', {
      ...tokenOf(link),
      ...fields,
    });
    return { browser, done };
  };
  return {
    owner,
    linkOn,
    accept,
    signInWith: async (email: string, password: string) => {
      const browser = new Browser(dealkeep);
      const { status } = await browser.fill('/sign-in', '/sign-in', { email, password });
      return { browser, status };
    },
    /** Somebody who belongs to two organizations, and is in the second. */
    member: async () => {
      const [first, second] = [await owner(), await owner()];
      const email = nobodyAt(first.organization);
      await accept(linkOn(await first.invite(email)), begin);
      const link = linkOn(await second.invite(email));
      const { browser, done } = await accept(link, { password: begin.password, do: 'sign_in' });
      if (done.location !== '/') throw new Error(`Not accepted: ${done.status}`);
      return { first, second, email, browser };
    },
  };
}

export const switchTo = async (browser: Browser, { id }: { id: string }) =>
  browser.fill('/', '/organization', { organization: id });
