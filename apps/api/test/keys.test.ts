import { allScopes, keyPurposes } from '@dealkeep/contract';
import { createApiKey, updateOrganization } from '@dealkeep/core/accounts';
import { OperatorError } from '@dealkeep/core/foundations';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { addUser } from './console-edits.ts';

const dealkeep = await sharedDealkeep();
const { core, sql } = dealkeep;

test('a key belongs to the person who is named, else to the oldest owner of the organization (rule keys 5)', async () => {
  const organization = await dealkeep.createOrganization();
  const email = `eva@${organization.slug}.example`;
  const eva = await addUser({ dealkeep, organization }, 'Eva', { email });
  const own = { organization: organization.slug, grant: { preset: 'automation' } as const };
  const named = await createApiKey(core, { ...own, name: 'Hers', user: email });
  const unnamed = await createApiKey(core, { ...own, name: 'Nobody’s' });
  const rows = await sql<{ id: string; user_id: string }[]>`
    select id, user_id from api_keys where id in ${sql([named.id, unnamed.id])}`;
  expect(new Map(rows.map(({ id, user_id }) => [id, user_id]))).toEqual(
    new Map([
      [named.id, eva],
      [unnamed.id, organization.ownerId],
    ]),
  );
});

test('a key holds the scopes of a preset or those that were chosen, and expires in the future (rule keys 6)', async () => {
  const { slug: organization } = await dealkeep.createOrganization();
  const make = (grant: Parameters<typeof createApiKey>[1]['grant'], expiresAt?: string) =>
    createApiKey(core, { organization, name: 'Key', grant, expiresAt });
  const scopesOf = async ({ token }: { token: string }) =>
    (await dealkeep.as(token).get('/me')).data.token.scopes;
  expect(await scopesOf(await make({ preset: 'automation' }))).toEqual(allScopes);
  expect(await scopesOf(await make({ scopes: ['leads:read', 'tasks:read'] }))).toEqual([
    'leads:read',
    'tasks:read',
  ]);
  await expect(make({ scopes: [] })).rejects.toThrow(OperatorError);
  await expect(make({ preset: 'automation' }, '2020-01-01T00:00:00Z')).rejects.toThrow(OperatorError);
  const read = allScopes.filter((scope) => scope.endsWith(':read'));
  expect(Object.fromEntries(Object.entries(keyPurposes).map(([name, { scopes }]) => [name, scopes]))).toEqual(
    {
      automation: allScopes,
      leads: ['leads:write'],
      reading: read,
      listening: [...read, 'webhooks:manage'],
    },
  );
});

test('an organization has at most 20 keys that can be used (rules keys 8, limits 3 and limits 5)', async () => {
  const organization = await dealkeep.createOrganization();
  // Beside its first one: revoked and expired ones, which do not count, and eighteen that do.
  await sql`
    insert into api_keys (organization_id, id, user_id, name, token_hash, scopes, created_at, expires_at, revoked_at)
    select ${organization.id}, gen_random_uuid(), ${organization.ownerId}, 'Key', sha256(gen_random_uuid()::text::bytea),
           '{leads:read}', now(), case when n = 1 then now() end, case when n = 2 then now() end
    from generate_series(1, 20) as n`;
  await organization.createKey();
  await expect(organization.createKey()).rejects.toThrow(/20/);
  await updateOrganization(sql, organization.slug, { maxKeys: 21 });
  await organization.createKey();
});
