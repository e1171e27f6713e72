import { request } from 'undici';

/** Signs in to the console; answers the cookie of the session. */
export async function signIn(
  origin: string,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const response = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ email, password, csrf_token: '', back: '/' }),
    redirect: 'manual',
  });
  const [cookie] = response.headers.getSetCookie();
  if (response.status !== 303 || cookie === undefined) throw new Error(`Not signed in: ${response.status}`);
  return cookie.slice(0, cookie.indexOf(';'));
}

/** Bytes of a page with all that it asks for, as a browser without anything in its cache gets them. */
export async function weightOf(origin: string, path: string, cookie: string): Promise<number> {
  // Not fetch, which tells only how long an answer is once it is no longer compressed.
  const bytesOf = async (address: string): Promise<Buffer> => {
    const headers = { Cookie: cookie, 'Accept-Encoding': 'gzip' };
    const { statusCode, body } = await request(`${origin}${address}`, { headers });
    if (statusCode !== 200) throw new Error(`${address} answered ${statusCode}`);
    return Buffer.from(await body.arrayBuffer());
  };
  const page = await bytesOf(path);
  const assets = [...page.toString().matchAll(/(?:href|src)="(\/assets\/[^"]*)"/g)].map(
    ([, each = '']) => each,
  );
  const sizes = await Promise.all(assets.map(async (each) => (await bytesOf(each)).length));
  return sizes.reduce((sum, size) => sum + size, page.length);
}
