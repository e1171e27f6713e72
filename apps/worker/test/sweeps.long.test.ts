import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';

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
