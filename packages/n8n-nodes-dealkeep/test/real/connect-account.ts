import { Browser, ownerPassword, type TestDealkeep, type TestOrganization } from '@dealkeep/testing';
import type { N8nDriver } from './n8n-driver.ts';
import type { Credential } from './workflow-node.ts';

/**
 * What a person does after "Connect my account": signs in at Dealkeep, presses a button of the consent page, and
 * comes back to n8n. Answers n8n's closing page.
 */
export async function connectAccount(
  n8n: N8nDriver,
  credential: Credential,
  { dealkeep, organization }: { dealkeep: TestDealkeep; organization: TestOrganization },
): Promise<{ question: URL; consent: string; closing: string }> {
  const browser = new Browser(dealkeep);
  const question = await n8n.authorizationUrl(credential);
  const asked = await browser.get(question.pathname + question.search);
  const form = await browser.get(asked.location ?? '');
  const account = { email: organization.ownerEmail, password: ownerPassword };
  const signedIn = await browser.submit(form, '/sign-in', account);
  const page = await browser.get(signedIn.location ?? '');
  const { location = '' } = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
  const { cookie, browserId } = n8n.session;
  const back = await fetch(location, { headers: { cookie, 'browser-id': browserId } });
  return { question, consent: page.html, closing: await back.text() };
}
