import { signIn } from '@dealkeep/core/accounts';
import type { TestDealkeep, TestOrganization } from '@dealkeep/testing';

/** What the authorization endpoint answered. */
export interface AuthorizationAnswer {
  readonly status: number;
  /** Where it sends the browser; undefined when it sends it nowhere. */
  readonly location: string | undefined;
  /** The parameters of that address. */
  readonly said: URLSearchParams;
  readonly html: string;
  readonly headers: Headers;
}

/** A request to the authorization endpoint by a browser in which nobody is signed in. */
export const ask = (
  { origin }: Pick<TestDealkeep, 'origin'>,
  parameters: URLSearchParams | string,
  init: RequestInit = {},
): Promise<AuthorizationAnswer> => send(`${origin}/oauth/authorize?${parameters}`, init);

/** The owner of an organization in front of the consent page. */
export async function consentingOwner(
  { core, origin }: Pick<TestDealkeep, 'core' | 'origin'>,
  { ownerEmail }: Pick<TestOrganization, 'ownerEmail'>,
) {
  const { token } = await signIn(core, { email: ownerEmail, password: 'correct horse battery' });
  const headers = { Cookie: `dealkeep_session=${token}` };
  return {
    open: (parameters: URLSearchParams) => ask({ origin }, parameters, { headers }),
    /** Presses a button of the consent page. */
    decide: (page: AuthorizationAnswer, decision: 'allow' | 'deny') =>
      send(`${origin}/oauth/authorize`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({
          decision,
          csrf_token: hidden(page, 'csrf_token'),
          request: hidden(page, 'request'),
        }),
      }),
    /** Sends a form of another page's making to the authorization endpoint. */
    forge: (fields: Readonly<Record<string, string>>) =>
      send(`${origin}/oauth/authorize`, { method: 'POST', headers, body: new URLSearchParams(fields) }),
  };
}

const hidden = ({ html }: AuthorizationAnswer, name: string): string =>
  (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '').replaceAll('&amp;', '&');

async function send(address: string, init: RequestInit): Promise<AuthorizationAnswer> {
  const { status, headers, ...response } = await whole(await fetch(address, { ...init, redirect: 'manual' }));
  const location = headers.get('location') ?? undefined;
  const said = new URL(location ?? '/', 'http://nowhere.example').searchParams;
  return { status, headers, location, said, ...response };
}

const whole = async (response: Response) => ({
  status: response.status,
  headers: response.headers,
  html: await response.text(),
});
