import { readFile } from 'node:fs/promises';
import type { Mail } from '@dealkeep/core/installation';
import { inConsole, startDealkeep, testDatabase } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { removeInvitationMail, removeMailsBefore } from '../../src/change/queue/mail-jobs.ts';
import { statementsOf } from '../../src/foundations/database/statements-of.ts';
import { sendMails, waitingMails } from '../mails/send-mails.ts';

const textOf = (name: string): Promise<string> =>
  readFile(new URL(`../../migrations/${name}`, import.meta.url), 'utf8');

test('mails that wait at an upgrade are sent, as old as they are, and none twice', async () => {
  const { ownerUrl: databaseUrl, sql } = await testDatabase();
  const mail = { url: 'smtp://127.0.0.1:1', from: 'crm@example.com' };
  const { core, createOrganization } = await startDealkeep({ databaseUrl, worker: false, mail });
  const organization = await createOrganization();
  const { id: invitation } = await inConsole(core, organization, 'invitations.send', {
    email: 'eva@example.com',
    role: 'owner',
  });
  await removeInvitationMail(core.sql, { organization: organization.id, id: invitation });

  // The table as it was, with mails of each kind.
  for (const name of ['0008-webhook-life.sql', '0021-invitations.sql']) {
    const about = statementsOf(await textOf(name)).filter((each) =>
      /(create|alter) table mails|on mails/.test(each),
    );
    // What users were then are memberships today.
    for (const statement of about)
      await sql.unsafe(statement.replace('references users', 'references memberships'));
  }
  const facts = {
    webhook_id: crypto.randomUUID(),
    name: 'Shop',
    host: 'example.com',
    rest_hook: false,
    since: '2026-10-01T00:00:00.000Z',
    error: { reason: 'timed_out', detail: null },
  };
  const ids = { due: crypto.randomUUID(), invitation: crypto.randomUUID() };
  const toOwner = { organization_id: organization.id, user_id: organization.ownerId, facts: sql.json(facts) };
  const moment = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
  const [longAgo, now, later] = [moment(-1440), moment(0), moment(5)];
  const of = (mail: object) => ({ ...toOwner, id: crypto.randomUUID(), created_at: longAgo, ...mail });
  await sql`insert into mails ${sql(of({ kind: 'webhook.failing', id: ids.due, due_at: now }))}`;
  await sql`insert into mails ${sql(of({ kind: 'webhook.ended', due_at: later }))}`;
  await sql`insert into mails ${sql(of({ kind: 'webhook.ended', due_at: null, sent_at: longAgo }))}`;
  await sql`insert into mails ${sql(
    of({
      kind: 'invitation',
      id: ids.invitation,
      due_at: now,
      user_id: null,
      invitation_id: invitation,
      facts: sql.json({}),
    }),
  )}`;

  // By itself, because it has run, and others behind it.
  const migration = await textOf('0025-mails-are-jobs.sql');
  await sql.begin((tx) => tx.unsafe(migration));
  expect(await sql`select to_regclass('mails') as former`).toEqual([{ former: null }]);
  expect(await waitingMails(core, organization)).toHaveLength(3);
  const sent: Mail[] = [];
  expect(await sendMails(core, async (each) => void sent.push(each))).toBe(2);
  expect(new Map(sent.map(({ id, to }) => [id, to.address]))).toEqual(
    new Map([
      [ids.due, organization.ownerEmail],
      [ids.invitation, 'eva@example.com'],
    ]),
  );
  // One that a worker had in its hands waits as long as it would have waited.
  expect(await waitingMails(core, organization)).toMatchObject([{ attempts: 0 }]);
  expect(await removeMailsBefore(core.sql, now)).toBe(1);
});
