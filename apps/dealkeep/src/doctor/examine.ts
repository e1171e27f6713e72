import { statfs } from 'node:fs/promises';
import { leastFreeShare, type Secrets } from '@dealkeep/core/foundations';
import { type Configuration, localOrigin, readConfiguration } from '../configuration.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { readSecrets } from '../secrets-key.ts';
import { folderFinding } from './examine-backups.ts';
import { databaseFindings } from './examine-database.ts';
import {
  dnsFinding,
  mailFinding,
  originFinding,
  proxyFinding,
  serverFinding,
  targetFinding,
  tracesFinding,
} from './examine-network.ts';
import type { Finding } from './finding.ts';

/** Looks at everything that a start depends on. Changes nothing. */
export async function examine(variables: NodeJS.ProcessEnv): Promise<Finding[]> {
  let configuration: Configuration;
  let secrets: Secrets | undefined;
  try {
    configuration = readConfiguration(variables);
    secrets = await readSecrets(configuration);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const mend = 'Set the variable as it says, then run this again.';
    return [{ check: 'Configuration', state: 'failed', finding: error.message, mend }];
  }
  const place =
    configuration.databaseUrl === undefined ? configuration.dataDir : 'the database of DATABASE_URL';
  return [
    { check: 'Configuration', state: 'ok', finding: `every variable is valid; the data are in ${place}` },
    addressFinding(configuration),
    ...(await diskFinding(configuration)),
    ...(await folderFinding(configuration)),
    ...(await databaseFindings(configuration, secrets)),
    ...(await Promise.all([
      serverFinding(configuration),
      originFinding(configuration),
      dnsFinding(),
      mailFinding(configuration),
      tracesFinding(configuration),
      proxyFinding(configuration),
      targetFinding(variables['WEBHOOK_ALLOWED_TARGETS'] ?? ''),
    ])),
  ];
}

function addressFinding({ origin, port }: Configuration): Finding {
  const address = origin ?? localOrigin(port);
  const local = /^http:\/\/(localhost|127\.|\[::1\])/.test(address);
  if (local || address.startsWith('https:')) {
    return { check: 'Address', state: 'ok', finding: `links lead to ${address}` };
  }
  return {
    check: 'Address',
    state: 'warning',
    finding: `links lead to ${address}, without https`,
    mend: 'Put a proxy with a certificate in front and set ORIGIN to its https:// address: keys travel in the open otherwise.',
  };
}

/** Of the embedded database; that of another server is its server's to tell. */
async function diskFinding({ databaseUrl, dataDir }: Configuration): Promise<Finding[]> {
  if (databaseUrl !== undefined) return [];
  const system = await statfs(dataDir).catch(() => undefined);
  // There is no such folder yet.
  if (!system || system.blocks === 0) return [];
  const share = system.bavail / system.blocks;
  const check = 'Disk';
  const finding = `${Math.round(share * 100)} % of the disk with ${dataDir} are free`;
  if (share >= leastFreeShare) return [{ check, state: 'ok', finding }];
  const mend =
    'Delete what else is on that disk, make it larger, or stop Dealkeep and move DATA_DIR to another one. Never delete files in it.';
  return [{ check, state: 'failed', finding, mend }];
}
