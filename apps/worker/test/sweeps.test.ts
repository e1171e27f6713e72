import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';

test('a running worker tells of what has become due', async () => {
  const dealkeep = await startDealkeep();
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  await api.post('/tasks', { title: 'Call', due_date: '2020-01-01' });
  await api.post('/invoices', { items: [{ name: 'x', unit_price: 1 }], issued_date: '2020-01-01' });
  // What the clock does each minute.
  for (const task of ['tell_overdue_tasks', 'mark_overdue_invoices']) {
    await dealkeep.sql`select graphile_worker.add_job(${task})`;
  }
  await eventually(async () => {
    const types = (await dealkeep.eventsOf(organization)).map(({ type }) => type);
    expect(types).toHaveLength(4);
    expect(types).toEqual(expect.arrayContaining(['task.overdue', 'invoice.overdue']));
  });
});

test('a worker makes a backup where it is told to at its start, and tries it; later its task does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backups-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const plan = { folder, keep: 1, hour: 1, trial: 'weekly', version: '1' } as const;
  const { sql } = await startDealkeep({ backups: plan });
  const bothWereMade = () =>
    eventually(async () => {
      const runs = await sql`select kind, failure from backup_runs where ended_at is not null order by id`;
      expect(runs).toEqual([
        { kind: 'backup', failure: null },
        { kind: 'trial', failure: null },
      ]);
    });
  await bothWereMade();
  expect(await readdir(folder)).toHaveLength(1);
  await sql`delete from backup_runs`;
  await sql`select graphile_worker.add_job('back_up')`;
  await bothWereMade();
});

test('the sweeps are scheduled', async () => {
  const dealkeep = await startDealkeep();
  await eventually(async () => {
    const rows = await dealkeep.sql<{ identifier: string }[]>`
      select identifier from graphile_worker._private_known_crontabs`;
    const names = rows.map(({ identifier }) => identifier);
    const overdue = ['tell_overdue_tasks', 'mark_overdue_invoices', 'continue_erasures'];
    const ended = ['end_idle_connections', 'end_hooks_of_dead_keys', 'remove_old_each_minute'];
    expect(names).toEqual(expect.arrayContaining([...overdue, ...ended]));
  });
});
