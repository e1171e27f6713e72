import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkZip } from '../../bin/check-zip.ts';
import { openZip } from '../../bin/zapier-tooling.ts';
import { findingsOf } from '../../src/checks/index.ts';
import { startHookReceiver } from '../platform/hook-receiver.ts';
import { type Node22Platform, startNode22 } from '../platform/node22-platform.ts';
import { type RunningDealkeep, startProgram } from '../platform/running-program.ts';
import { itKeepsItsPromises } from '../promises/index.ts';

const zip = join(import.meta.dirname, '..', '..', 'build', 'build.zip');
// Outside of the repository, so that nothing which the zip lacks is found in a folder above.
const folder = await mkdtemp(join(tmpdir(), 'dealkeep-unzipped-'));
const unzipped = join(folder, 'build');
await mkdir(unzipped);
(await openZip(zip)).extractAllTo(unzipped);

const receiver = await startHookReceiver();
let dealkeep: RunningDealkeep;
let platform: Node22Platform;

beforeAll(async () => {
  dealkeep = await startProgram();
  platform = await startNode22(unzipped);
});
afterAll(async () => {
  await platform?.close();
  await receiver.close();
  await dealkeep?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('the zip', () => {
  test('is small, without symlinks and without anything that is not needed', async () => {
    expect(await checkZip(zip)).toEqual([]);
    expect((await readdir(unzipped)).sort()).toEqual([
      'definition.json',
      'integration.js',
      'node_modules',
      'package.json',
      'zapierwrapper.js',
    ]);
  });

  test('runs on Node 22', () => {
    expect(platform.nodeVersion).toMatch(/^v22\./);
  });

  test('holds the definition that it runs, which passes the integration checks', async () => {
    const written: unknown = JSON.parse(await readFile(join(unzipped, 'definition.json'), 'utf8'));
    expect(written).toEqual(await platform.definition());
    expect(findingsOf(written)).toEqual([]);
  });
});

itKeepsItsPromises(async () => ({ platform, receiver, connection: await dealkeep.connect() }));

test('nothing that was printed holds a key or a signing secret', () => {
  const printed = platform.log();
  for (const secret of dealkeep.secrets) expect(printed).not.toContain(secret);
  expect(printed).not.toMatch(/whsec_[A-Za-z0-9+/]{20,}/);
});
