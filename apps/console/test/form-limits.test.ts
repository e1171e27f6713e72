import { limits } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();

interface Sent {
  path: string;
  body: string | ReadableStream<Uint8Array>;
  type?: string;
  cookie?: string;
  language?: string;
}

async function send({ path, body, type, cookie = '', language = 'en' }: Sent) {
  const response = await fetch(`${dealkeep.origin}${path}`, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': type ?? 'application/x-www-form-urlencoded',
      'Accept-Language': language,
      ...(cookie === '' ? {} : { Cookie: cookie }),
    },
    redirect: 'manual',
    ...(typeof body === 'string' ? {} : { duplex: 'half' as const }),
  });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

/** Somebody who is signed in: the cookie, and the token that their forms carry. */
async function signedIn(): Promise<{ cookie: string; token: string }> {
  const form = new URLSearchParams({ email: organization.ownerEmail, password: 'correct horse battery' });
  const init = { method: 'POST', body: form, redirect: 'manual' } as const;
  const answer = await fetch(`${dealkeep.origin}/sign-in`, init);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = await (await fetch(`${dealkeep.origin}/`, { headers: { Cookie: cookie } })).text();
  return { cookie, token: /name="csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? '' };
}

/** Comes in pieces, and says no length before. */
function inPieces(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, at + 4096));
      at += 4096;
      if (at >= bytes.length) controller.close();
    },
  });
}

const open = ['/sign-in', '/oauth/authorize'];
const tokenEndpoints = ['/oauth/token', '/oauth/revoke'];
const fields = (count: number): string => Array.from({ length: count }, () => 'a=').join('&');

describe('a form before sign-in', () => {
  test.each(open)('of %s has 50 fields at most, said in both languages', async (path) => {
    const refused = await send({ path, body: fields(limits.openFormFields + 1) });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('has more than the 50 fields that this form may have');
    const slovak = await send({ path, body: fields(limits.openFormFields + 1), language: 'sk' });
    expect(slovak.text).toContain('majú viac ako 50 polí');
    const taken = await send({ path, body: fields(limits.openFormFields) });
    expect(taken.text).not.toContain('has more than');
  });

  test.each(open)('of %s has 16 KiB at most, whether it says its length or not', async (path) => {
    const larger = `email=${'x'.repeat(limits.openFormBytes)}`;
    for (const body of [larger, inPieces(larger)]) {
      const refused = await send({ path, body });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('is larger than the 16 KiB');
    }
  });

  test.each(open)('of %s is small for somebody who is signed in, too', async (path) => {
    const { cookie, token } = await signedIn();
    const body = `csrf_token=${token}&${fields(limits.openFormFields)}`;
    expect((await send({ path, body, cookie })).text).toContain('has more than the 50 fields');
  });

  test.each(tokenEndpoints)('of %s is as small, and refused as RFC 6749 says', async (path) => {
    for (const body of [fields(limits.openFormFields + 1), `token=${'x'.repeat(limits.openFormBytes)}`]) {
      const refused = await send({ path, body });
      expect(refused.status).toBe(400);
      expect(JSON.parse(refused.text)).toMatchObject({ error: 'invalid_request' });
    }
  });

  test('of another kind is none', async () => {
    const type = 'multipart/form-data; boundary=x';
    const refused = await send({ path: '/sign-in', body: '--x--', type });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('application/x-www-form-urlencoded');
  });
});

describe('a form of the console', () => {
  test('has 5,000 fields at most', async () => {
    const { cookie, token } = await signedIn();
    const path = '/companies/new';
    const most = `csrf_token=${token}&form_token=a-form&${fields(limits.formFields - 2)}`;
    expect((await send({ path, body: most, cookie })).status).toBe(422);
    const refused = await send({ path, body: `${most}&a=`, cookie });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('has more than the 5000 fields that this form may have');
    const slovak = await send({ path, body: `${most}&a=`, cookie, language: 'sk' });
    expect(slovak.text).toContain('majú viac ako 5000 polí');
  });

  test('has 1 MiB at most, whether it says its length or not', async () => {
    const { cookie, token } = await signedIn();
    const larger = `csrf_token=${token}&note=${'x'.repeat(limits.bodyBytes)}`;
    for (const body of [larger, inPieces(larger)]) {
      const refused = await send({ path: '/companies/new', body, cookie });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('is larger than the 1024 KiB');
    }
  });

  test('without anybody signed in leads to signing in and is not read', async () => {
    const away = await send({ path: '/companies/new', body: fields(limits.formFields + 1) });
    expect([away.status, away.location]).toEqual([303, '/sign-in']);
  });
});
