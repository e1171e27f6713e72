import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testDatabase } from '@dealkeep/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { examine } from '../src/doctor/examine.ts';
import { ownFolder } from './program.ts';
import { faults } from './seeded-faults.ts';
import { canMount, mebibyte, smallDisk } from './small-disk.ts';

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

/** Seeded on a disk of the test's own. */
const fullDisks = [
  {
    fault: 'a disk that is full (embedded database)',
    check: 'Disk',
    finding: /^\d % of the disk/,
    mend: /move DATA_DIR/,
    variables: async (folder: string) => ({ DATA_DIR: folder }),
  },
  {
    fault: 'a BACKUP_DIR on a disk that is full',
    check: 'Backup folder',
    finding: /; \d % of its disk are free$/,
    mend: /BACKUP_KEEP/,
    variables: async (folder: string) => ({ DATA_DIR: await ownFolder(), BACKUP_DIR: folder }),
  },
];

test.runIf(canMount).each(fullDisks)(
  'doctor finds $fault, and says the mend',
  async ({ check, finding, mend, variables }) => {
    const disk = await smallDisk();
    disk.fill(mebibyte);
    const findings = await examine({ ...(await variables(disk.folder)), PORT: '0' });
    expect(findings.find((each) => each.check === check)).toEqual({
      check,
      state: 'failed',
      finding: expect.stringMatching(finding),
      mend: expect.stringMatching(mend),
    });
  },
);

test('the documents name the faults that are seeded here, and no other', async () => {
  const page = await readFile(monitoringPage, 'utf8');
  const [, table = ''] = page.split('Each of these faults is seeded in a test:');
  const rows = [...table.matchAll(/^\| (?!Fault|-)(.+?) +\| (.+?) +\|$/gm)].map(([, fault, check]) => ({
    fault,
    check,
  }));
  const seeded = [...faults, ...fullDisks].map(({ fault, check }) => ({ fault, check }));
  expect(rows).toHaveLength(seeded.length);
  expect(rows).toEqual(expect.arrayContaining(seeded));
});
