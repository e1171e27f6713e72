// The definition of the last release, as far as Zaps rely on it: released/oauth2.json, released/api_key.json.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { type AuthenticationVariant, integration } from '../../src/index.ts';
import { Definition } from '../checks/index.ts';
import { wholeDefinition } from '../checks/whole-definition.ts';
import { Release, surfaceOf } from './surface.ts';

const packageFolder = join(import.meta.dirname, '..', '..');
const pathOf = (variant: string): string => join(packageFolder, 'released', `${variant}.json`);

/** Undefined before the first release. */
export async function releasedDefinition(variant: string): Promise<Release | undefined> {
  const text = await readFile(pathOf(variant), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : Release.parse(JSON.parse(text));
}

export const writeReleased = (variant: string, release: Release): Promise<void> =>
  writeFile(pathOf(variant), `${JSON.stringify(release, null, 2)}\n`);

/** What a release made now would consist of. */
export async function nextRelease(variant: AuthenticationVariant): Promise<Release> {
  const definition = Definition.parse(await wholeDefinition(integration(variant)));
  return { version: manifest.version, surface: surfaceOf(definition) };
}

export const readChangelog = (): Promise<string> => readFile(join(packageFolder, 'CHANGELOG.md'), 'utf8');
