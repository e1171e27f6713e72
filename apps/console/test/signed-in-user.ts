import { addUser, Browser, type TestDealkeep, type TestOrganization } from '@dealkeep/testing';

/** A user of an organization, with a role of these permissions or of this name, whose browser is signed in. */
export async function signedInUser(
  dealkeep: TestDealkeep,
  organization: Pick<TestOrganization, 'slug'>,
  user: Parameters<typeof addUser>[2],
) {
  const added = await addUser(dealkeep, organization, user);
  const browser = new Browser(dealkeep);
  await browser.signInAs(added.email);
  return { ...added, browser };
}
