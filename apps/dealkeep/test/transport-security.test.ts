import { freePort } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { ownDatabase, startReadyHere } from './program.ts';

const paths = ['/healthz', '/sign-in', '/api/v1/public/me', '/oauth/token', '/assets/none', '/nowhere'];

async function policies(variables: Record<string, string>): Promise<(string | null)[]> {
  const port = await freePort();
  await startReadyHere({ ...variables, ...(await ownDatabase()), PORT: port, ROLES: 'api,console' });
  const answers = paths.map((path) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' }));
  return (await Promise.all(answers)).map(({ headers }) => headers.get('Strict-Transport-Security'));
}

test('every answer tells browsers to keep to https where ORIGIN has it, and only there', async () => {
  const [secure, plain] = await Promise.all([policies({ ORIGIN: 'https://crm.example.com' }), policies({})]);
  expect(secure).toEqual(paths.map(() => 'max-age=31536000'));
  expect(plain).toEqual(paths.map(() => null));
});
