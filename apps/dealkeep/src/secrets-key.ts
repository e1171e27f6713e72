import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newSecretsKey, parseSecretsKey, type Secrets } from '@dealkeep/core/foundations';
import { makeFolder } from '@dealkeep/embedded-postgres';
import type { Configuration } from './configuration.ts';
import { ConfigurationError, inDataFolder } from './configuration-error.ts';

type Place = Pick<Configuration, 'secretsKey' | 'dataDir'>;

/**
 * The key that encrypts secrets: the operator's, or one that is generated once into the data folder. Raises
 * ConfigurationError where one would be generated although the database needs the one that it was encrypted with.
 */
export async function loadSecrets(place: Place, anyWillDo: () => Promise<boolean>): Promise<Secrets> {
  const present = await readSecrets(place);
  if (present) return present;
  if (!(await anyWillDo())) {
    throw new ConfigurationError(
      'DATA_DIR',
      `lacks the key that the database in it is encrypted with (${keyFile(place)}): restore it from a backup; \`dealkeep secrets forget\` is for one that is lost`,
    );
  }
  await inDataFolder(place.dataDir, () => writeNewKey(place));
  return loadSecrets(place, anyWillDo);
}

async function writeNewKey(place: Place): Promise<void> {
  await makeFolder(place.dataDir);
  const draft = `${keyFile(place)}.${randomUUID()}`;
  try {
    await writeFile(draft, `${newSecretsKey()}\n`, { mode: 0o600, flush: true });
    // Made by a link, the file is complete from the beginning, and of two starts only one succeeds.
    await link(draft, keyFile(place));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** As `loadSecrets`, but undefined where no key is set and none was generated yet. */
export async function readSecrets(place: Place): Promise<Secrets | undefined> {
  if (place.secretsKey !== undefined) return parseSecretsKey(place.secretsKey);
  const file = keyFile(place);
  const text = await inDataFolder(place.dataDir, () => readKey(file));
  if (text === undefined) return undefined;
  try {
    return parseSecretsKey(text.trim());
  } catch {
    throw new ConfigurationError(
      'DATA_DIR',
      `holds a damaged secrets-key (${file}): restore it from a backup`,
    );
  }
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    if (!hasCode(error, 'EACCES')) throw error;
    throw new ConfigurationError('DATA_DIR', `holds a key that this user may not read (${file})`);
  }
}

const keyFile = ({ dataDir }: Place): string => join(dataDir, 'secrets-key');

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
