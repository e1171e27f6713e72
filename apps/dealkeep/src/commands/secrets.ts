import { connect, type Database, noLimits, type Secrets } from '@dealkeep/core/foundations';
import { forgetLostKeys, type Rotation, rotateSecrets } from '@dealkeep/core/installation';
import type { Command } from 'commander';
import type { Configuration } from '../configuration.ts';
import { asConfigured } from '../configuration-error.ts';
import { ensureMigrated, type OpenDatabase } from '../open-database.ts';
import { printResult } from '../print-result.ts';
import { loadSecrets } from '../secrets-key.ts';
import { surroundingsOf } from '../surroundings.ts';
import { onDatabase } from './operator.ts';

export function secretsCommands(program: Command): void {
  const group = program.command('secrets').description('what is encrypted under SECRETS_KEY');
  command(
    group,
    'rotate',
    'encrypt everything anew under the first key, so that the others can leave SECRETS_KEY',
    rotateSecrets,
    showRotation,
  );
  command(
    group,
    'forget',
    'go on without keys that are lost: what was encrypted under them stays unreadable',
    forgetLostKeys,
  );
}

function command<Result>(
  group: Command,
  name: string,
  description: string,
  work: (sql: Database, secrets: Secrets) => Promise<Result>,
  show?: (result: Result) => string,
): void {
  group
    .command(name)
    .description(description)
    .option('--json', 'print only the result, as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const surroundings = surroundingsOf(group);
      const result = await onDatabase(surroundings, (database, configuration) =>
        onSecrets(database, configuration, work),
      );
      printResult(surroundings, result, json === true, show);
    });
}

async function onSecrets<Result>(
  database: OpenDatabase,
  configuration: Configuration,
  work: (sql: Database, secrets: Secrets) => Promise<Result>,
): Promise<Result> {
  const sql = connect(database.url, { connections: 2, name: 'dealkeep secrets', limits: noLimits });
  try {
    await ensureMigrated(database, configuration.migrate);
    const secrets = await loadSecrets(configuration, async () => true);
    return await asConfigured(configuration, work(sql, secrets));
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function showRotation({ key, encrypted_anew, unreadable, retired, in_use }: Rotation): string {
  const { webhooks, stored_answers, token_answers } = encrypted_anew;
  const isTooEarly = in_use.length > 0 && webhooks + stored_answers + token_answers === 0;
  const lines = [
    isTooEarly
      ? 'Nothing is encrypted anew yet.'
      : `Encrypted anew under ${key}: ${webhooks} secrets of webhooks, ${stored_answers} stored answers, ${token_answers} token answers.`,
  ];
  if (unreadable > 0) lines.push(`No key opens ${unreadable} others; they stay as they are.`);
  for (const retiredKey of retired) {
    lines.push(`Nothing is encrypted under ${retiredKey} any more: take that key out of SECRETS_KEY.`);
  }
  for (const { key: used, processes } of in_use) {
    const places = processes.map(({ host, roles }) => `${roles.join(',')} on ${host}`).join('; ');
    lines.push(
      `Still encrypting with ${used}: ${places}. Restart them with ${key} in front, then rotate again.`,
    );
  }
  if (retired.length + in_use.length === 0) lines.push('No other key is needed.');
  return lines.join('\n');
}
