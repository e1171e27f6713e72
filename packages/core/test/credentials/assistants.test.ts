import { systemClock } from '@dealkeep/core/foundations';
import { connectedUser, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { assistantReach, lesserReach } from '../../src/identity/credentials/assistants.ts';
import { CredentialCache } from '../../src/identity/credentials/credential-cache.ts';

const dealkeep = await sharedDealkeep();
const { sql } = dealkeep;

/** What is known of a token, by a process that has just started. */
const assistantsOf = async (token: string) => {
  const cache = new CredentialCache({ sql, clock: systemClock, environment: 'live', log: dealkeep.core.log });
  return (await cache.find({ authorization: `Bearer ${token}`, userAgent: 'test' }, 'api')).assistants;
};

test.each([
  ['all', 'all', 'all'],
  ['all', 'read', 'read'],
  ['read', 'all', 'read'],
  ['read', 'read', 'read'],
  ['off', 'all', 'off'],
  ['read', 'off', 'off'],
] as const)('of %s and %s, assistants have %s', (one, other, both) => {
  expect(lesserReach({ access: one, toolSets: null }, { access: other, toolSets: null })).toEqual({
    access: both,
    toolSets: null,
  });
});

test.each([
  ['every set and every set', null, null, null],
  ['every set and some', null, ['work', 'sales'], ['work', 'sales']],
  ['some and every set', ['billing'], null, ['billing']],
  ['some and some', ['sales', 'work'], ['work', 'shop'], ['work']],
  ['some and others', ['sales'], ['shop'], []],
] as const)('the sets of tools that both allow: %s', (_, one, other, both) => {
  expect(lesserReach({ access: 'all', toolSets: one }, { access: 'all', toolSets: other }).toolSets).toEqual(
    both,
  );
});

test('a set that a later version knew, before this one was put back, is none', () => {
  const row = { assistant_access: 'all', assistant_tool_sets: ['telepathy', 'work'] } as const;
  expect(assistantReach({ ...row, assistant_tool_sets: [...row.assistant_tool_sets] }).toolSets).toEqual([
    'work',
  ]);
});

test('a key has what its organization and itself allow; without anybody’s wish, all', async () => {
  const { id, key, keyId } = await dealkeep.createOrganization();
  expect(await assistantsOf(key)).toEqual({ access: 'all', toolSets: null });
  await sql`update organizations set assistant_tool_sets = '{sales,work}' where id = ${id}`;
  await sql`
    update api_keys set assistant_access = 'read', assistant_tool_sets = '{work,shop}' where id = ${keyId}`;
  expect(await assistantsOf(key)).toEqual({ access: 'read', toolSets: ['work'] });
  await sql`update organizations set assistant_access = 'off' where id = ${id}`;
  expect(await assistantsOf(key)).toMatchObject({ access: 'off' });
});

test('a connected app has what its organization allows', async () => {
  const organization = await dealkeep.createOrganization();
  const { token } = await connectedUser(dealkeep, organization, 'leads.view=all');
  expect(await assistantsOf(token)).toEqual({ access: 'all', toolSets: null });
  await sql`
    update organizations set assistant_access = 'read', assistant_tool_sets = '{billing}'
    where id = ${organization.id}`;
  expect(await assistantsOf(token)).toEqual({ access: 'read', toolSets: ['billing'] });
});
