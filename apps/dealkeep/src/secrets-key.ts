import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newSecretsKey, parseSecretsKey, type Secrets } from '@dealkeep/core';
import type { Configuration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';

/** The key that encrypts secrets: the operator's, or one that is generated once into the data folder. */
export async function loadSecrets({ secretsKey, dataDir }: Configuration): Promise<Secrets> {
  if (secretsKey !== undefined) return parseSecretsKey(secretsKey);
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, 'secrets-key');
  try {
    // Only the first of two starters writes.
    await writeFile(file, `${newSecretsKey()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const text = (await readFile(file, 'utf8')).trim();
  try {
    return parseSecretsKey(text);
  } catch {
    throw new ConfigurationError(
      'DATA_DIR',
      `holds a damaged secrets-key (${file}): restore it from a backup`,
    );
  }
}
