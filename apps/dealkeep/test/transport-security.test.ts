import { freePort } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { ownDatabase, startReadyHere } from './program.ts';

const paths = ['/healthz', '/sign-in', '/api/v1/public/me', '/oauth/token', '/assets/none', '/nowhere'];

/** What each path says of transport security, and what calls itself the issuer of tokens. */
async function answers(variables: Record<string, string>) {
  const port = await freePort();
  await startReadyHere({ ...variables, ...(await ownDatabase()), PORT: port, ROLES: 'api,console' });
  const address = `http://127.0.0.1:${port}`;
  const asked = await Promise.all(paths.map((path) => fetch(address + path, { redirect: 'manual' })));
  const metadata = await fetch(`${address}/.well-known/oauth-authorization-server`);
  return {
    policies: asked.map(({ headers }) => headers.get('Strict-Transport-Security')),
    metadata: await metadata.json(),
  };
}

test('every answer tells browsers to keep to https where ORIGIN has it, and only there; links begin with it (rule operator 9)', async () => {
  const ORIGIN = 'https://crm.example.com';
  const [secure, plain] = await Promise.all([answers({ ORIGIN }), answers({})]);
  expect(secure.policies).toEqual(paths.map(() => 'max-age=31536000'));
  expect(plain.policies).toEqual(paths.map(() => null));
  expect(secure.metadata).toMatchObject({ issuer: ORIGIN, token_endpoint: `${ORIGIN}/oauth/token` });
});
