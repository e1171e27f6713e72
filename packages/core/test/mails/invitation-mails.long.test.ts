import { acceptAsNewUser } from '@dealkeep/core/accounts';
import type { Log } from '@dealkeep/core/foundations';
import { inConsole, ManualClock, startDealkeep, type TestOrganization } from '@dealkeep/testing';
import { createMailer } from '@dealkeep/worker';
import { describe, expect, test } from 'vitest';
import { startInbox } from './inbox.ts';
import { dueAgain, sendMails } from './send-mails.ts';

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };
const clock = new ManualClock();
const inbox = await startInbox();
const settings = { url: inbox.url, from: 'Dealkeep <crm@example.com>' };
// Without the worker, which would send by itself.
const dealkeep = await startDealkeep({ clock, worker: false, log: quiet, mail: settings });
const { core } = dealkeep;
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
  test('that was posted twice because a worker died counts by either of its mails', async () => {
    const organization = await dealkeep.createOrganization();
    const email = `eva@${organization.slug}.example`;
    await invite(organization, email);
    const dying = async (mail: Parameters<typeof post>[0]) => {
      await post(mail);
      throw new Error('The connection ended before the answer came');
    };
    await sendMails(core, dying);
    await dueAgain(core);
    await sendMails(core, post);
    const [first = '', second = ''] = tokensTo(email);
    expect(second).not.toBe(first);
    await acceptAsNewUser(core, first, eva);
    await expect(acceptAsNewUser(core, second, eva)).rejects.toMatchObject({ key: 'invitation.ended' });
  });
});
