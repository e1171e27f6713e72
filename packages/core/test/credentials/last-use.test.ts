import { userAgentOf } from '@dealkeep/contract';
import { listApiKeys } from '@dealkeep/core/accounts';
import { growOlder, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

async function keyOfItsOwn() {
  const { id, slug, key } = await dealkeep.createOrganization();
  return {
    noted: async () => (await listApiKeys(dealkeep.sql, slug))[0],
    use: (userAgent: string) =>
      fetch(`${dealkeep.baseUrl}/me`, {
        headers: { authorization: `Bearer ${key}`, 'user-agent': userAgent },
      }),
    /** As if so much time had passed since the last use. */
    later: (interval: string) =>
      dealkeep.sql`
        update api_keys set last_used_at = last_used_at - ${interval}::interval where organization_id = ${id}`,
  };
}

test('the list of keys shows when a key was last used, and with which program (rule keys 9)', async () => {
  const { noted, use } = await keyOfItsOwn();
  expect(await noted()).toMatchObject({ last_used_at: null, last_used_by: null, platforms: [] });

  const before = new Date().toISOString();
  await use('curl/8.5.0');
  await expect.poll(async () => (await noted())?.last_used_by).toBe('curl/8.5.0');
  expect((await noted())?.last_used_at ?? '').toSatisfy((used: string) => used >= before);
  expect((await noted())?.platforms).toEqual([]);
});

test('a platform that uses a key for the first time is noted at once and stays noted, other programs to the minute (rule keys 9)', async () => {
  const { noted, use, later } = await keyOfItsOwn();
  await use('curl/8.5.0');
  await expect.poll(async () => (await noted())?.last_used_by).toBe('curl/8.5.0');
  const n8n = userAgentOf('n8n', '1.2.3');
  await use(n8n);
  await expect.poll(noted).toMatchObject({ last_used_by: n8n, platforms: ['n8n'] });
  await use('python-requests/2.31.0');
  await use(userAgentOf('zapier', '2.0.0'));
  await expect.poll(noted).toMatchObject({ platforms: ['n8n', 'zapier'] });
  expect((await noted())?.last_used_by).toBe(userAgentOf('zapier', '2.0.0'));

  await later('2 minutes');
  // What a process remembers of a key is a second old at most.
  growOlder(1001);
  await use('curl/8.5.0');
  await expect.poll(async () => (await noted())?.last_used_by).toBe('curl/8.5.0');
  expect((await noted())?.platforms).toEqual(['n8n', 'zapier']);
});

test('of what a program says of itself, a line of printable signs is kept, shortened', async () => {
  const { noted, use } = await keyOfItsOwn();
  await use(`\t<b>\u00e9\u0085\u00a0${'x'.repeat(10_000)}`);
  await expect.poll(async () => (await noted())?.last_used_by).toBe(`<b>?${'x'.repeat(114)}`);
  expect((await noted())?.platforms).toEqual([]);
});

test('a use that is refused is no use (rule keys 9)', async () => {
  const { slug, createKey } = await dealkeep.createOrganization();
  const { token, id } = await createKey({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  await dealkeep.sql`update api_keys set expires_at = now() - interval '1 second' where id = ${id}`;
  const answer = await fetch(`${dealkeep.baseUrl}/me`, {
    headers: { authorization: `Bearer ${token}`, 'user-agent': userAgentOf('n8n', '1.2.3') },
  });
  expect(answer.status).toBe(401);
  // Notes are written in the order of their requests.
  const next = await createKey();
  await fetch(`${dealkeep.baseUrl}/me`, { headers: { authorization: `Bearer ${next.token}` } });
  const keys = async () => new Map((await listApiKeys(dealkeep.sql, slug)).map((key) => [key.id, key]));
  await expect.poll(async () => (await keys()).get(next.id)?.last_used_at).not.toBeNull();
  expect((await keys()).get(id)).toMatchObject({ last_used_at: null, last_used_by: null, platforms: [] });
});
