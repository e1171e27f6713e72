import { sharedDealkeep, type TestOrganization } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { dueOrganizations } from '../../src/identity/tenancy/due-organizations.ts';

const { core, sql, createOrganization } = await sharedDealkeep();
const noon = '2027-05-10T12:00:00.000Z';

async function organizationIn(timeZone: string): Promise<TestOrganization> {
  const organization = await createOrganization();
  await sql`update organizations set time_zone = ${timeZone} where id = ${organization.id}`;
  return organization;
}

test('only organizations get a transaction of a sweep whose own clock has come as far as the first that is due', async () => {
  const [east, west] = [await organizationIn('Pacific/Auckland'), await organizationIn('America/New_York')];
  // Past in Auckland, where it is midnight; hours away in New York.
  const first = [east, west].map(({ id }) => ({ organization_id: id, due: '2027-05-10 23:00:00' }));
  const isDue = core.sql`due at time zone time_zone <= ${noon}::timestamptz`;
  expect(await dueOrganizations(core.sql, first, isDue, noon)).toEqual([{ id: east.id, slug: east.slug }]);
});

test('where nothing may be due, nothing is asked', async () => {
  const none = core.sql`this is no SQL`;
  expect(await dueOrganizations(core.sql, [], none, noon)).toEqual([]);
});
