import { Browser, type TestDealkeep } from '@dealkeep/testing';

/** An organization of its own, its owner's browser, which is signed in, and the API by its key. */
export async function signedInOwner(dealkeep: TestDealkeep) {
  const organization = await dealkeep.createOrganization();
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  return { organization, browser, api: dealkeep.as(organization.key) };
}

export type SignedInOwner = Awaited<ReturnType<typeof signedInOwner>>;
