import { createHash, randomBytes } from 'node:crypto';
import { Browser, ownerPassword } from '@dealkeep/testing';
import type { Platform } from './platform.ts';

/** Where Zapier lets people return to; nothing listens there. */
export const zapierRedirect = 'https://zapier.com/dashboard/auth/oauth/return/App227CLIAPI/';

/** What came of the pages: what Zapier's window was sent back with, and the verifier that it kept. */
export interface Answer {
  readonly said: URLSearchParams;
  readonly verifier: string;
}

/**
 * Leads a person from "Connect a new account" through the pages of signing in and of consent. Zapier adds to the
 * integration's address its state, where to return to, and the challenge (RFC 7636, S256).
 */
export async function askPerson(
  platform: Platform,
  email: string,
  decision: 'allow' | 'deny' = 'allow',
): Promise<Answer> {
  const state = randomBytes(16).toString('base64url');
  const inputData = { state, redirect_uri: zapierRedirect };
  const verifier = randomBytes(32).toString('base64url');
  const address = new URL(
    String(await platform.run('authentication.oauth2Config.authorizeUrl', { inputData })),
  );
  const added = {
    ...inputData,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(added)) address.searchParams.set(name, value);

  const browser = new Browser(address);
  let page = await browser.get(`${address.pathname}${address.search}`);
  if (page.location?.startsWith('/sign-in')) {
    const form = await browser.get(page.location);
    const signedIn = await browser.submit(form, '/sign-in', { email, password: ownerPassword });
    page = await browser.get(signedIn.location ?? '');
  }
  if (page.status === 200) page = await browser.submit(page, '/oauth/authorize', { decision });
  const said = new URL(page.location ?? '').searchParams;
  if (said.get('state') !== state) throw new Error(`Zapier is sent back to with another state: ${said}`);
  return { said, verifier };
}

/** Exchanges the code of an answer, as Zapier does it; what comes is what Zapier keeps of the account. */
export const exchange = async (platform: Platform, { said, verifier }: Answer) =>
  Object(
    await platform.run('authentication.oauth2Config.getAccessToken', {
      inputData: {
        ...Object.fromEntries(said),
        redirect_uri: zapierRedirect,
        code_verifier: verifier,
      },
    }),
  );

/** Both together: a connected account. */
export const authorize = async (platform: Platform, email: string) =>
  exchange(platform, await askPerson(platform, email));
