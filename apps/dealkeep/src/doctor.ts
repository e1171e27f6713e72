import { lookup } from 'node:dns/promises';
import { connect, type Database, listOrganizations, migrationStatus } from '@dealkeep/core';
import { type Configuration, readConfiguration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';
import { openDatabase } from './open-database.ts';
import { loadSecrets } from './secrets-key.ts';

export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'failed';
  finding: string;
  /** What to do about it; absent when all is well. */
  mend?: string;
}

const largestClockDifferenceMs = 2000;
const publicName = 'example.com';

/** Looks at everything that a start depends on. Changes nothing. */
export async function examine(variables: NodeJS.ProcessEnv): Promise<Finding[]> {
  let configuration: Configuration;
  try {
    configuration = readConfiguration(variables);
    await loadSecrets(configuration);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const mend = 'Set the variable as it says, then run this again.';
    return [{ check: 'Configuration', state: 'failed', finding: error.message, mend }];
  }
  const database = configuration.databaseUrl
    ? 'DATABASE_URL'
    : `the embedded database in ${configuration.dataDir}`;
  return [
    { check: 'Configuration', state: 'ok', finding: `every variable is valid; the data is in ${database}` },
    originFinding(configuration),
    ...(await databaseFindings(configuration)),
    await dnsFinding(),
    targetFinding(variables),
  ];
}

function originFinding({ origin, host }: Configuration): Finding {
  const secure = origin.startsWith('https:');
  const local = /^http:\/\/(localhost|127\.|\[::1\])/.test(origin);
  if (secure || local) return { check: 'Address', state: 'ok', finding: `links lead to ${origin}` };
  return {
    check: 'Address',
    state: 'warning',
    finding: `links lead to ${origin}, without https (listening on ${host})`,
    mend: 'Put a proxy with a certificate in front and set ORIGIN to its https:// address: keys travel in the open otherwise.',
  };
}

async function databaseFindings(configuration: Configuration): Promise<Finding[]> {
  try {
    const database = await openDatabase(configuration, () => {});
    const sql = connect(database.url, { connections: 1, name: 'dealkeep doctor' });
    try {
      return await examineDatabase(sql);
    } finally {
      await sql.end({ timeout: 5 });
      await database.close();
    }
  } catch (error) {
    return [
      {
        check: 'Database',
        state: 'failed',
        finding: error instanceof Error ? error.message : String(error),
        mend: configuration.databaseUrl
          ? 'Check that the server runs and that DATABASE_URL names it with the right user, password and database.'
          : `Check that ${configuration.dataDir} belongs to this user and that the disk has room.`,
      },
    ];
  }
}

async function examineDatabase(sql: Database): Promise<Finding[]> {
  const [server] = await sql<{ version: string; clock: string }[]>`
    select current_setting('server_version') as version, clock_timestamp() as clock`;
  const difference = Math.abs(Date.parse(server?.clock ?? '') - Date.now());
  const { applied, pending } = await migrationStatus(sql);
  const findings: Finding[] = [
    { check: 'Database', state: 'ok', finding: `PostgreSQL ${server?.version} answers` },
    difference <= largestClockDifferenceMs
      ? { check: 'Clock', state: 'ok', finding: `this machine and the database differ by ${difference} ms` }
      : {
          check: 'Clock',
          state: 'failed',
          finding: `this machine and the database differ by ${difference} ms`,
          mend: 'Synchronise both clocks (NTP): signatures and retries depend on the time.',
        },
  ];
  if (pending.length > 0) {
    const finding = `${pending.length} of ${pending.length + applied.length} are pending`;
    findings.push({ check: 'Migrations', state: 'warning', finding, mend: 'Run `npx dealkeep migrate`.' });
    return findings;
  }
  const organizations = await listOrganizations(sql);
  findings.push({ check: 'Migrations', state: 'ok', finding: `all ${applied.length} are applied` });
  findings.push(
    organizations.length > 0
      ? { check: 'Organizations', state: 'ok', finding: `there are ${organizations.length}` }
      : {
          check: 'Organizations',
          state: 'warning',
          finding: 'there are none',
          mend: 'Make one with `npx dealkeep organizations create --name … --slug …`, or start once for the demo.',
        },
  );
  return findings;
}

async function dnsFinding(): Promise<Finding> {
  try {
    await lookup(publicName);
    return { check: 'DNS', state: 'ok', finding: 'public names resolve' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      check: 'DNS',
      state: 'warning',
      finding: `${publicName} does not resolve (${reason})`,
      mend: 'Give this machine a resolver, or only targets in WEBHOOK_ALLOWED_TARGETS can be reached.',
    };
  }
}

function targetFinding(variables: NodeJS.ProcessEnv): Finding {
  const allowed = variables['WEBHOOK_ALLOWED_TARGETS'];
  if (!allowed)
    return { check: 'Allowed targets', state: 'ok', finding: 'webhooks go to public https addresses only' };
  return {
    check: 'Allowed targets',
    state: 'warning',
    finding: `webhooks may also go to ${allowed}`,
    mend: 'Keep this list short: whoever has an API key can reach what stands in it.',
  };
}
