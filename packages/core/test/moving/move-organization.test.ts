import { forgetOrganization, moveOrganization, previewOrganizationMove } from '@dealkeep/core/installation';
import { filledOnce } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { everything, fillSettled, idOf, moveOf, otherInstallation } from './two-installations.ts';

const settled = filledOnce(fillSettled);

test('an organization moves with every row, and the former installation refuses whatever changes one (rule operator 40)', async () => {
  const from = await settled();
  const to = await otherInstallation();
  const id = await idOf(from);
  const before = await everything(from, id);
  const preview = await previewOrganizationMove(moveOf(from, to));
  expect(preview).toMatchObject({ organization: 'own', rows: { leads: 60, organizations: 1 } });
  expect(await everything(from, id)).toEqual(before);

  const moved = await moveOrganization(moveOf(from, to, { newAddress: 'https://two.example' }));
  expect(moved).toMatchObject({
    organization: 'own',
    moved_to: 'https://two.example',
    rows: preview.rows,
    people: { moved: 1, apart: 0, known: 0 },
    mails: 1,
  });
  const after = await everything(to, id);
  const [audited, ...others] = (after['audit_entries'] ?? []).filter(
    (row) => !before['audit_entries']?.includes(row),
  );
  expect(audited).toContain('organizations.move');
  expect(others).toEqual([]);
  expect({ ...after, audit_entries: before['audit_entries'] }).toEqual(before);
  expect(await to.sql`select from graphile_worker.jobs where task_identifier = 'send_mail'`).toHaveLength(1);

  // Nothing is left here that could be sent.
  for (const table of ['deliveries', 'held_events', 'console_sessions']) {
    expect(await from.sql`select from ${from.sql(table)}`).toHaveLength(0);
  }
  for (const change of [
    from.sql`update leads set note = 'x' where organization_id = ${id}`,
    from.sql`insert into tags (organization_id, id, name, color, created_at, updated_at) values (${id}, gen_random_uuid(), 'x', '#000000', now(), now())`,
    from.sql`update organizations set name = 'x' where id = ${id}`,
  ]) {
    await expect(change).rejects.toMatchObject({ constraint_name: 'organization_moves', code: '55P03' });
  }
});

test('what is left of an organization that has moved is removed, and nothing else (rule operator 40)', async () => {
  const from = await settled();
  const to = await otherInstallation();
  const id = await idOf(from);
  await moveOrganization(moveOf(from, to));
  const forgotten = await forgetOrganization({ here: from.ownerUrl, there: to.ownerUrl, slug: 'own' });
  expect(forgotten).toMatchObject({ rows: { leads: 60 }, people: 1 });
  for (const rows of Object.values(await everything(from, id))) expect(rows).toEqual([]);
  expect(await from.sql`select from users`).toHaveLength(0);
  expect(await from.sql`select from pg_trigger where tgname like 'moves\\_%'`).toHaveLength(0);
  expect(await to.sql`select from leads where organization_id = ${id}`).toHaveLength(60);
});
