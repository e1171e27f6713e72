import { type Browser, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { problemBeside, selectedIn } from './page-parts.ts';
import { signedInOwner } from './signed-in-owner.ts';

const dealkeep = await sharedDealkeep();
const { sql } = dealkeep;
const path = '/settings/roles';
const save = { do: 'save' };

const owner = () => signedInOwner(dealkeep);
const make = (browser: Browser, fields: Record<string, string>) =>
  browser.fill(`${path}/new`, `${path}/new`, { name: 'Sales', ...fields, ...save });

/** The address of a role. */
async function roleAt(organization: string, name: string): Promise<string> {
  const [role] = await sql<{ id: string }[]>`
    select id from roles where organization_id = ${organization} and name = ${name}`;
  return `${path}/${role?.id}`;
}

describe('a role', () => {
  test('is made once, however often its form is sent', async () => {
    const { browser, organization } = await owner();
    const form = await browser.get(`${path}/new`);
    const send = () => browser.submit(form, `${path}/new`, { name: 'Twice', ...save });
    expect([(await send()).status, (await send()).status]).toEqual([303, 303]);
    expect(await sql`select from roles where organization_id = ${organization.id}`).toHaveLength(1);
  });

  test.each([
    ['', 'This field is required.'],
    ['Taken', 'There is already one with this name. Choose another.'],
    ['Owner', "This is the name of the owners' role. Choose another."],
  ])('is refused beside its name: %j', async (name, said) => {
    const { browser } = await owner();
    await make(browser, { name: 'Taken' });
    const refused = await make(browser, { name, 'permissions.leads.view': 'all' });
    const beside = problemBeside(refused.html, 'name')?.replaceAll('&#39;', "'");
    expect([refused.status, beside]).toEqual([422, said]);
    expect(selectedIn(refused.html, 'permissions.leads.view')).toBe('All');
  });

  test.each([
    ['Taken', 'There is already one with this name. Choose another.'],
    ['Owner', "This is the name of the owners' role. Choose another."],
    ['Free', undefined],
  ])('is told what is wrong with its name beside a refused permission: %j', async (name, said) => {
    const { browser, organization } = await owner();
    await make(browser, { name: 'Taken' });
    await make(browser, { name: 'Other' });
    const forged = { name, 'permissions.leads.view': 'everything' };
    const page = `${await roleAt(organization.id, 'Other')}/edit`;
    for (const refused of [
      await make(browser, forged),
      await browser.fill(page, page, { ...forged, ...save }),
    ]) {
      const beside = problemBeside(refused.html, 'name')?.replaceAll('&#39;', "'");
      expect([refused.status, beside]).toEqual([422, said]);
      expect(problemBeside(refused.html, 'permissions.leads.view')).toBeDefined();
    }
    expect(await sql`select from roles where organization_id = ${organization.id}`).toHaveLength(2);
  });

  test('can be left without any permission', async () => {
    const { browser, organization } = await owner();
    await make(browser, { 'permissions.leads.view': 'all' });
    const page = `${await roleAt(organization.id, 'Sales')}/edit`;
    await browser.fill(page, page, { 'permissions.leads.view': '', ...save });
    const [role] = await sql`select permissions from roles where organization_id = ${organization.id}`;
    expect(role?.['permissions']).toEqual({});
  });
});

test('a role that is given while it is removed is either kept or refused, whoever comes first', async () => {
  const { browser, organization } = await owner();
  const [name, invitePath] = ['Fleeting', '/settings/users/invitations/new'];
  for (let round = 0; round < 5; round += 1) {
    await make(browser, { name });
    const page = `${await roleAt(organization.id, name)}/remove`;
    const [asking, form] = [await browser.get(page), await browser.get(invitePath)];
    const email = `${round}@${organization.slug}.example`;
    const fields = { email, role: name, ...save };
    const [removed, given] = await Promise.all([
      browser.submit(asking, page, {}),
      browser.submit(form, invitePath, fields),
    ]);
    expect([
      [303, 422],
      [409, 200],
    ]).toContainEqual([removed.status, given.status]);
    await sql`delete from invitations where organization_id = ${organization.id}`;
    await sql`delete from roles where organization_id = ${organization.id}`;
  }
});
