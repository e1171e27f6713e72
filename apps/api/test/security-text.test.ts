import { createApi, createOperations, serve } from '@dealkeep/api';
import { ManualClock, sharedDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';

const { core } = await sharedDealkeep();
const path = '/.well-known/security.txt';

/** Asks a server whose operator has given these contacts. */
async function ask(
  securityContacts: readonly string[] | undefined,
  { origin = 'https://crm.example.com', clock = new ManualClock(), create = createApi } = {},
): Promise<Response> {
  const app = create({ core: { ...core, origin, clock }, securityContacts });
  const server = await serve(app, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.stop(0));
  return fetch(`http://127.0.0.1:${server.port}${path}`);
}

const linesOf = async (response: Response): Promise<string[][]> =>
  (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/: (.*)/, 2));

test('security.txt names the operator’s contacts as RFC 9116 says (rule operator 41)', async () => {
  const contacts = ['mailto:security@example.com', 'https://example.com/security'];
  const response = await ask(contacts);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const lines = await linesOf(response);
  expect(lines.filter(([name]) => name === 'Contact').map(([, value]) => value)).toEqual(contacts);
  expect(lines).toContainEqual(['Preferred-Languages', 'en, sk']);
  expect(lines).toContainEqual(['Canonical', `https://crm.example.com${path}`]);
  expect(lines.filter(([name]) => name === 'Expires')).toHaveLength(1);
  const local = await linesOf(await ask(contacts, { origin: 'http://localhost:3000' }));
  expect(
    local.map(([name]) => name),
    'an address of the web has to begin with https',
  ).not.toContain('Canonical');
  expect((await ask(contacts, { create: createOperations })).status, 'without the API').toBe(200);
});

test('it never has expired, and always expires within a year (rule operator 41)', async () => {
  const clock = new ManualClock();
  for (let year = 0; year < 3; year += 1) {
    const lines = await linesOf(await ask(['mailto:security@example.com'], { clock }));
    const expires = Date.parse(lines.find(([name]) => name === 'Expires')?.[1] ?? '');
    const days = (expires - clock.now().getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
    clock.advance(365 * 86_400_000);
  }
});

test('without a contact there is no security.txt (rule operator 41)', async () => {
  expect((await ask(undefined)).status).toBe(404);
});
