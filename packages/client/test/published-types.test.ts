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
import type * as printed from './package/lib/registry.js';
import type * as source from '../../src/registry.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export const registry: Same<printed.Registry, source.Registry> = true;
export const eventData: Same<printed.EventData, source.EventData> = true;
export const envelope: Same<printed.WebhookEnvelope, source.WebhookEnvelope> = true;
export const eventType: Same<printed.EventType, source.EventType> = true;
export const errorCode: Same<printed.ErrorCode, source.ErrorCode> = true;
export const fieldError: Same<printed.FieldError, source.FieldError> = true;
// The comparison itself: a field more or less is seen.
export const different: Same<printed.Registry['leads'], Omit<source.Registry['leads'], 'move'>> = false;
`;

test('the published types and table are exactly those of the contract', async () => {
  await mkdir(join(home, 'build'), { recursive: true });
  const folder = await mkdtemp(join(home, 'build', 'types-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await buildPackage(join(folder, 'package'));
  await writeFile(join(folder, 'comparison.ts'), comparison);
  const configuration = { extends: join(home, '../../tsconfig.base.json'), include: ['comparison.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration));

  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const compiled = promisify(execFile)(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', folder]);

  await expect(compiled).resolves.toMatchObject({ stdout: '' });
  const printed = await import(join(folder, 'package/lib/registry.js'));
  expect(printed.routes).toEqual(source.routes);
});
