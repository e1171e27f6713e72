import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { noteFailedSignIn } from '../../src/change/audit/own-account.ts';

const dealkeep = await sharedDealkeep();
const { core, sql } = dealkeep;

test('of wrong passwords that come at once ten are told, too', async () => {
  const { id } = await dealkeep.createOrganization();
  const [owner] = await sql<{ person_id: string }[]>`
    select person_id from memberships where organization_id = ${id}`;
  const tries = Array.from({ length: 30 }, () => noteFailedSignIn(core, [owner?.person_id ?? ''], undefined));
  await Promise.all(tries);
  const told = await sql`
    select from audit_entries where organization_id = ${id} and operation = 'account.sign-in-failed'`;
  expect(told).toHaveLength(10);
});
