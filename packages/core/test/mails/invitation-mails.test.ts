import { acceptAsNewUser, acceptBySigningIn, createUser } from '@dealkeep/core/accounts';
import type { Log, Problem } from '@dealkeep/core/foundations';
import {
  inConsole,
  ManualClock,
  ownerPassword,
  startDealkeep,
  type TestOrganization,
} from '@dealkeep/testing';
import { createMailer } from '@dealkeep/worker';
import { describe, expect, test } from 'vitest';
import { startInbox } from './inbox.ts';
import { sendMails, waitingMails } from './send-mails.ts';

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };
const clock = new ManualClock();
const inbox = await startInbox();
const settings = { url: inbox.url, from: 'Dealkeep <crm@example.com>' };
// Without the worker, which would send by itself.
const dealkeep = await startDealkeep({ clock, worker: false, log: quiet, mail: settings });
const { core, sql } = dealkeep;
const post = createMailer(settings, quiet);

const invite = (organization: TestOrganization, email: string, language: 'en' | 'sk' = 'en') =>
  inConsole(core, organization, 'invitations.send', { email, role: 'owner', language });
/** The tokens of the links that came to an address, in their order. */
const tokensTo = (address: string): string[] =>
  inbox.mails
    .filter(({ to }) => to.includes(address))
    .map(({ text }) => /\/invitation\?token=(\w+)/.exec(text)?.[1] ?? '');
const eva = { name: 'Eva', password: 'a password of Eva' };

describe('where mail is set up, an invitation', () => {
  test.each([
    {
      language: 'en' as const,
      subject: 'Jana Horváthová invites you to Test organization',
      said: 'Accept here, until',
    },
    {
      language: 'sk' as const,
      subject: 'Jana Horváthová vás pozýva do organizácie Test organization',
      said: 'Prijmite tu, do',
    },
  ])(
    'goes to the person alone, in $language, and its link stands nowhere before (rules users 7 and 14)',
    async ({ language, subject, said }) => {
      const organization = await dealkeep.createOrganization();
      const email = `eva@${organization.slug}.example`;
      expect((await invite(organization, email, language)).link).toBeNull();
      expect(await sql`select from invitation_tokens where organization_id = ${organization.id}`).toEqual([]);
      expect(await sendMails(core, post)).toBe(1);
      const [mail] = inbox.mails.filter(({ to }) => to.includes(email));
      expect(mail?.subject).toBe(subject);
      expect(mail?.text).toContain(said);
      const [token = ''] = tokensTo(email);
      await acceptAsNewUser(core, token, eva);
      expect(await sql`select email, email_verified from users where email = ${email}`).toEqual([
        { email, email_verified: true },
      ]);
    },
  );

  test('reads the same for an address that signs in here and for one that does not (rule users 3)', async () => {
    const [known, organization] = [await dealkeep.createOrganization(), await dealkeep.createOrganization()];
    const stranger = `stranger@${known.slug}.example`;
    for (const email of [known.ownerEmail, stranger]) await invite(organization, email);
    await sendMails(core, post);
    const [first, second] = [known.ownerEmail, stranger].map((email) =>
      inbox.mails.find(({ to }) => to.includes(email))?.text.replace(/dk_inv_\w+/, ''),
    );
    expect(first).toBe(second);
  });

  test('is not sent once it is withdrawn, and counts by its latest mail when it is sent again (rule users 6)', async () => {
    const organization = await dealkeep.createOrganization();
    const [gone, email] = ['gone', 'eva'].map((name) => `${name}@${organization.slug}.example`);
    const { id } = await invite(organization, gone ?? '');
    await inConsole(core, organization, 'invitations.withdraw', { id });
    expect(await waitingMails(core, organization)).toEqual([]);
    const again = await invite(organization, email ?? '');
    await sendMails(core, post);
    await inConsole(core, organization, 'invitations.send-again', { id: again.id });
    await sendMails(core, post);
    expect(tokensTo(gone ?? '')).toEqual([]);
    const [first = '', second = ''] = tokensTo(email ?? '');
    await expect(acceptAsNewUser(core, first, eva)).rejects.toMatchObject({ key: 'invitation.ended' });
    await acceptAsNewUser(core, second, eva);
  });

  test('asks whoever proved the address before for their password, and changes nothing of theirs (rule users 8)', async () => {
    const [home, organization] = [await dealkeep.createOrganization(), await dealkeep.createOrganization()];
    await invite(organization, home.ownerEmail);
    await sendMails(core, post);
    const [token = ''] = tokensTo(home.ownerEmail);
    const begun = acceptAsNewUser(core, token, { name: 'Thief', password: 'another password' });
    await expect(begun).rejects.toSatisfy(
      (problem: Problem) => problem.fields?.[0]?.key === 'invitation.known',
    );
    await acceptBySigningIn(core, token, { password: ownerPassword });
    const rows = await sql`
      select m.organization_id from users u join memberships m on m.person_id = u.id where u.email = ${home.ownerEmail}`;
    expect(rows.map((row) => row['organization_id']).sort()).toEqual([home.id, organization.id].sort());
  });

  test('gives the address to whom the mail reached, whoever used it before without proof (rules users 2 and 8)', async () => {
    const occupied = await startDealkeep({ clock, worker: false, log: quiet });
    const [thieves, organization] = [
      await occupied.createOrganization(),
      await occupied.createOrganization(),
    ];
    const email = `victim@${thieves.slug}.example`;
    const asked = { email, role: 'owner' };
    const { link } = await inConsole(occupied.core, thieves, 'invitations.send', asked);
    const stolen = new URL(link ?? '').searchParams.get('token') ?? '';
    await acceptAsNewUser(occupied.core, stolen, { name: 'Thief', password: 'of the thief' });

    const mailing = { ...occupied.core, mailIsSetUp: true };
    await inConsole(mailing, organization, 'invitations.send', asked);
    await sendMails(mailing, post);
    const [token = ''] = tokensTo(email);
    await acceptAsNewUser(mailing, token, { name: 'Victim', password: 'of the victim' });
    const rows = await occupied.sql`
      select m.organization_id, m.name, u.email_verified from users u join memberships m on m.person_id = u.id
      where u.email = ${email} order by m.name`;
    expect(rows).toEqual([
      { organization_id: thieves.id, name: 'Thief', email_verified: false },
      { organization_id: organization.id, name: 'Victim', email_verified: true },
    ]);
    // The operator means the one who proved it.
    const third = await occupied.createOrganization();
    const made = await createUser(occupied.core, {
      organization: third.slug,
      name: 'V',
      email,
      role: 'owner',
    });
    expect(made.known).toBe(true);
    const [row] = await occupied.sql`
      select other.name from memberships m join memberships other on other.person_id = m.person_id
      where m.id = ${made.id} and other.id <> m.id`;
    expect(row).toEqual({ name: 'Victim' });
  });
});
