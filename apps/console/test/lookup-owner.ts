import { Browser, type TestDealkeep, type VisitedPage } from '@dealkeep/testing';
import { textOf } from './page-parts.ts';

export const lists = '/settings/lists';
const save = { do: 'save' };

/** An owner who is signed in and edits the lists of an organization of their own. */
export async function lookupOwner(dealkeep: TestDealkeep) {
  const organization = await dealkeep.createOrganization();
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  const api = dealkeep.as(organization.key);

  /** What the API lists, by its names. */
  const listed = async (path: string): Promise<Map<string, Record<string, unknown>>> => {
    const items: { name: string }[] = Object((await api.get(path as '/tags')).json).data;
    return new Map(items.map((item) => [item.name, Object(item)]));
  };
  const add = (path: string, fields: Record<string, string>): Promise<VisitedPage> =>
    browser.fill(`${lists}/${path}/new`, `${lists}/${path}/new`, { ...fields, ...save });

  return {
    organization,
    browser,
    api,
    listed,
    add,
    /** Adds an entry; its id is what the API says. */
    idOf: async (path: string, fields: Record<string, string>): Promise<string> => {
      const made = await add(path, fields);
      if (made.status !== 303) throw new Error(`Not added: ${made.status} ${textOf(made.html)}`);
      return String((await listed(`/${path}`)).get(fields['name'] ?? '')?.['id']);
    },
    /** Fills in the page of a step of an entry. */
    step: (path: string, id: unknown, step: string, fields: Record<string, string> = {}) => {
      const address = `${lists}/${path}/${id}/${step}`;
      return browser.fill(address, address, { ...fields, ...save });
    },
  };
}

export type LookupOwner = Awaited<ReturnType<typeof lookupOwner>>;

export const tokenOn = ({ html }: VisitedPage): string =>
  /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? '';
