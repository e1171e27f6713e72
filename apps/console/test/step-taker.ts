import { Browser, type TestDealkeep } from '@dealkeep/testing';

/** An owner who is signed in, and takes steps of records as a person does. */
export async function stepTaker(dealkeep: TestDealkeep) {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);

  const make = async (path: Parameters<typeof api.post>[0], body: unknown): Promise<string> => {
    const { status, json } = await api.post(path, body);
    if (status !== 201) throw new Error(JSON.stringify(json));
    const { data } = Object(json);
    return data.id ?? data.uuid;
  };
  const typesOf = async (id: string) => (await dealkeep.eventsOf(organization, id)).map(({ type }) => type);
  const lastOf = async (id: string) => (await typesOf(id)).at(-1);

  /** Takes a step by its button, or on the page that asks first. */
  const step = async (record: string, name: string, fields: Record<string, string> = {}) => {
    const address = `${record}/${name}`;
    const page = await browser.get(record);
    const asks = page.html.includes(`href="${address}"`);
    const form = asks ? await browser.get(address) : page;
    return browser.submit(form, address, { ...fields, ...(asks ? { do: 'save' } : {}) });
  };
  const offered = async (record: string): Promise<string[]> => {
    const { html } = await browser.get(record);
    const steps = html.split('class="choices steps"')[1]?.split('</div>')[0] ?? '';
    return [...steps.matchAll(/(?:href|action)="[^"]*\/([^"/]*)"/g)].map(([, name = '']) => name);
  };
  return { organization, api, browser, make, typesOf, lastOf, step, offered };
}
