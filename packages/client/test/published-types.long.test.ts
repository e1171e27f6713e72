import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { buildPackage } from '../bin/build-package.ts';
import * as source from '../src/registry.ts';

const home = join(import.meta.dirname, '..');

const comparison = `
import type * as client from './package/lib/index.js';
import type * as printed from './package/lib/registry.js';
import type { Dealkeep } from '../../src/dealkeep.ts';
import type * as source from '../../src/registry.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

// Namespace by namespace, so that a difference is told where it is.
type Differences<A, B> = { [Name in keyof A & keyof B as Same<A[Name], B[Name]> extends true ? never : Name]: Name };
export const differences: Differences<client.Dealkeep, Dealkeep> = {};
export const dealkeep: Same<client.Dealkeep, Dealkeep> = true;
export const eventData: Same<printed.EventData, source.EventData> = true;
export const envelope: Same<printed.WebhookEnvelope, source.WebhookEnvelope> = true;
export const eventType: Same<printed.EventType, source.EventType> = true;
export const errorCode: Same<printed.ErrorCode, source.ErrorCode> = true;
export const fieldError: Same<printed.FieldError, source.FieldError> = true;
// The comparison itself: a field more or less is seen.
export const different: Same<client.Dealkeep['leads'], Omit<Dealkeep['leads'], 'move'>> = false;
`;

test('the published types and table are exactly those of the contract', async () => {
  await mkdir(join(home, 'build'), { recursive: true });
  const folder = await mkdtemp(join(home, 'build', 'types-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await buildPackage(join(folder, 'package'));
  await writeFile(join(folder, 'comparison.ts'), comparison);
  // A class with private members is equal to itself alone.
  await writeFile(join(folder, 'package/lib/page.d.ts'), `export * from '../../../../src/page.ts';`);
  const configuration = { extends: join(home, '../../tsconfig.base.json'), include: ['comparison.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration));

  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const compiler = join(typescript, 'bin', 'tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(Object);

  expect(stdout).toBe('');
  const printed = await import(join(folder, 'package/lib/registry.js'));
  expect(printed.routes).toEqual(source.routes);
});
