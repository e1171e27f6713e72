import { execFileSync } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testDatabase } from '@dealkeep/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { examine } from '../src/doctor/examine.ts';
import { ownFolder } from './program.ts';
import { faults } from './seeded-faults.ts';

const key = Buffer.alloc(32, 7).toString('base64');
const monitoringPage = join(import.meta.dirname, '..', '..', '..', 'docs', 'monitoring.md');

function ahead(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  onTestFinished(() => void vi.useRealTimers());
}

test.each(faults)('doctor finds $fault, and says the mend', async ({ check, state, finding, mend, seed }) => {
  const database = await testDatabase();
  const usual = { DATABASE_URL: database.url, SECRETS_KEY: key, PORT: '0' };
  const seeded = await seed({ sql: database.sql, url: new URL(database.url), ahead });
  const findings = await examine({ ...usual, ...(seeded ?? {}) });
  const found = findings.find((each) => each.check === check);
  expect(found).toEqual({
    check,
    state,
    finding: expect.stringMatching(finding),
    mend: expect.stringMatching(mend),
  });
});

test('without a fault there is none of these findings, but that of the server of tests', async () => {
  const { url } = await testDatabase();
  const findings = await examine({ DATABASE_URL: url, SECRETS_KEY: key, PORT: '0' });
  const wrong = findings.filter(({ state }) => state !== 'ok').map(({ check }) => check);
  // No organization, and a network that may have no resolver.
  expect(wrong.filter((each) => !['Durability', 'Organizations', 'DNS'].includes(each))).toEqual([]);
});

// Only root mounts a file system; elsewhere the disk would have to be filled in earnest.
test.runIf(process.getuid?.() === 0)('doctor finds a full disk, and says the mend', async () => {
  const DATA_DIR = join(await ownFolder(), 'small');
  await mkdir(DATA_DIR);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', DATA_DIR]);
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${DATA_DIR}/full`, 'bs=1024', 'count=1000'], { stdio: 'ignore' });
    const findings = await examine({ DATA_DIR, PORT: '0' });
    expect(findings.find(({ check }) => check === 'Disk')).toEqual({
      check: 'Disk',
      state: 'failed',
      finding: expect.stringMatching(/^\d % of the disk/),
      mend: expect.stringContaining('move DATA_DIR'),
    });
    // The same disk, for backups.
    const ofBackups = await examine({ DATA_DIR: await ownFolder(), BACKUP_DIR: DATA_DIR, PORT: '0' });
    expect(ofBackups.find(({ check }) => check === 'Backup folder')).toEqual({
      check: 'Backup folder',
      state: 'failed',
      finding: expect.stringMatching(/; \d % of its disk are free$/),
      mend: expect.stringContaining('BACKUP_KEEP'),
    });
  } finally {
    execFileSync('umount', [DATA_DIR]);
  }
});

test('the documents name every fault that is seeded here', async () => {
  const page = await readFile(monitoringPage, 'utf8');
  for (const { fault, check } of faults) expect(page).toMatch(new RegExp(`\\| ${fault} +\\| ${check} +\\|`));
});
