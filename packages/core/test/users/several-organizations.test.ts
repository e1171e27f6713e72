import { acceptAsNewUser, createUser, signIn, updateUser } from '@dealkeep/core/accounts';
import { inConsole, ownerPassword, ownerPasswordHash, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const { core, sql } = dealkeep;
const person = { name: 'Eva', role: 'owner' };
const canSignIn = (email: string, password: string) =>
  signIn(core, { email, password }).then(
    () => true,
    () => false,
  );

/** Somebody whom the operator made for an organization, and can add to another. */
async function madeForOne() {
  const [first, second] = [await dealkeep.createOrganization(), await dealkeep.createOrganization()];
  const email = `eva@${first.slug}.example`;
  const made = await createUser(core, { ...person, organization: first.slug, email });
  await sql`update users set password_hash = ${ownerPasswordHash} where id = ${made.id}`;
  const addToSecond = (password?: string) =>
    createUser(core, { ...person, organization: second.slug, email: email.toUpperCase(), password });
  return { first, second, email, made, addToSecond };
}

async function inTwo() {
  const { addToSecond, ...rest } = await madeForOne();
  await addToSecond();
  return rest;
}

describe('an operator', () => {
  test('adds somebody whom they made before to another organization, with the password of before (rules users 1 and 2)', async () => {
    const { first, email, made, addToSecond } = await madeForOne();
    const again = await addToSecond('never used here');
    expect([made.known, again.known, made.id === again.id]).toEqual([false, true, false]);
    expect([await canSignIn(email, ownerPassword), await canSignIn(email, 'never used here')]).toEqual([
      true,
      false,
    ]);
    const twice = createUser(core, { ...person, organization: first.slug, email });
    await expect(twice).rejects.toMatchObject({ fields: [{ path: 'email', key: 'field.email_taken' }] });
  });

  test('gives a password of 10 characters at least, counted as everywhere, and of 1,000 at most (rule users 10)', async () => {
    const organization = await dealkeep.createOrganization();
    const email = `eva@${organization.slug}.example`;
    const given = (password: string) =>
      createUser(core, { ...person, organization: organization.slug, email, password });
    // Five characters of two units each.
    await expect(given('🔑🔑🔑🔑🔑')).rejects.toMatchObject({
      fields: [{ path: 'password', key: 'field.too_short' }],
    });
    await expect(given('x'.repeat(1001))).rejects.toMatchObject({
      fields: [{ path: 'password', key: 'field.too_long' }],
    });
    await given('🔑'.repeat(10));
    expect(await canSignIn(email, '🔑'.repeat(10))).toBe(true);
    await expect(updateUser(core, email, { password: '🔑'.repeat(9) })).rejects.toMatchObject({
      fields: [{ path: 'password', key: 'field.too_short' }],
    });
  });

  test('says whose membership changes, where there are several; the password is of all', async () => {
    const { first, second, email } = await inTwo();
    await expect(updateUser(core, email, { active: false })).rejects.toMatchObject({
      message: expect.stringMatching(/belongs to .*, .*/),
      help: { given: 'organization' },
    });
    await expect(updateUser(core, email, { organization: 'nowhere', active: false })).rejects.toThrow(
      'in nowhere',
    );
    const off = await updateUser(core, email, { organization: first.slug, active: false });
    expect(off).toMatchObject({ email, active: false });
    const rows = await sql`
      select m.organization_id, m.active from memberships m join users u on u.id = m.person_id where u.email = ${email}`;
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({ organization_id: second.id, active: true });
    await updateUser(core, email, { password: 'a new password' });
    expect([await canSignIn(email, ownerPassword), await canSignIn(email, 'a new password')]).toEqual([
      false,
      true,
    ]);
  });

  test('changes an address everywhere, unless somebody of one of the organizations has it (rule users 2)', async () => {
    const { first, second, email } = await inTwo();
    await expect(updateUser(core, email, { newEmail: second.ownerEmail })).rejects.toMatchObject({
      fields: [{ path: 'email' }],
    });
    const newEmail = `eva.nova@${first.slug}.example`;
    await updateUser(core, email, { newEmail });
    for (const { key } of [first, second]) {
      const users = Object((await dealkeep.as(key).get('/users?q=eva')).json).data;
      expect(users).toMatchObject([{ email: newEmail }]);
    }
    expect(await canSignIn(newEmail, ownerPassword)).toBe(true);
  });

  test('is asked before somebody with an address that nobody verified gets into one organization more (rule users 9)', async () => {
    const [first, second] = [await dealkeep.createOrganization(), await dealkeep.createOrganization()];
    const email = `victim@${first.slug}.example`;
    const invited = await inConsole(core, first, 'invitations.send', { email, role: 'owner' });
    const token = new URL(invited.link ?? '').searchParams.get('token') ?? '';
    await acceptAsNewUser(core, token, { name: 'Eva', password: ownerPassword });
    const add = () => createUser(core, { ...person, organization: second.slug, email });
    await expect(add()).rejects.toMatchObject({ help: { verified: { email, organization: first.slug } } });
    await updateUser(core, email, { organization: first.slug, verified: true });
    expect((await add()).known).toBe(true);
  });
});
