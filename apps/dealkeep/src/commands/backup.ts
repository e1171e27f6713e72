import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { operatorMoment, systemClock } from '@dealkeep/core/foundations';
import {
  missingKeys,
  moveDatabase,
  readingBackup,
  restoreBackup,
  sayingWhyOfFile,
  settleRecovered,
  takeBackup,
  verifyBackup,
  writingBackup,
} from '@dealkeep/core/installation';
import { type Command, Option } from 'commander';
import { requireDirect } from '../check-pooler.ts';
import { readConfiguration } from '../configuration.ts';
import { asConfigured } from '../configuration-error.ts';
import { migrateAsOwner } from '../open-database.ts';
import { printResult } from '../print-result.ts';
import { readSecrets } from '../secrets-key.ts';
import { surroundingsOf } from '../surroundings.ts';
import { version } from '../version.ts';
import { onDatabase } from './operator.ts';
import {
  type BackupReport,
  type MoveResult,
  reportOf,
  showBackup,
  showMove,
  showRecovered,
  showRestore,
  showVerified,
} from './show-backup.ts';

/** For a file: this process's standard output or input. */
const standard = '-';

/** Has a backup written to a file, or to standard output where it is `-`. Raises OperatorError. */
const writingTo = <Result>(file: string, write: (out: Writable) => Promise<Result>): Promise<Result> =>
  file === standard
    ? sayingWhyOfFile('standard output', () => write(createWriteStream('', { fd: 1, autoClose: false })))
    : writingBackup(file, write);

/** Has a backup read from a file, or from standard input where it is `-`. Raises OperatorError. */
const readingFrom = <Result>(
  file: string,
  stdin: Readable,
  read: (source: Readable) => Promise<Result>,
): Promise<Result> => (file === standard ? read(stdin) : readingBackup(file, read));

export function backupCommands(program: Command): void {
  backupCommand(program);
  verifyCommand(program);
  restoreCommand(program);
  moveCommand(program);
  recoveredCommand(program);
}

function backupCommand(program: Command): void {
  program
    .command('backup')
    .argument('<file>', 'a new file; - for standard output')
    .description('write everything of the database into one file, while everything goes on')
    .option('--json', 'print only the result, as JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const surroundings = surroundingsOf(program);
      const report = await onDatabase(surroundings, async ({ directUrl: url }) => {
        await requireDirect(url, 'backups');
        const taken = await writingTo(file, (out) =>
          takeBackup({ url, version: version(), clock: systemClock }, out),
        );
        return reportOf(taken);
      });
      // Standard output has the backup then.
      const told = file === '-' ? { stdout: surroundings.stderr } : surroundings;
      printResult(told, report, json === true, (made) => showBackup(made, file));
    });
}

interface Verification extends BackupReport {
  /** Whether SECRETS_KEY has all keys that it is encrypted with; null where there is no key here to ask. */
  secrets_key_fits: boolean | null;
  missing_keys: string[];
}

function verifyCommand(program: Command): void {
  program
    .command('verify')
    .argument('<file>', 'a backup; - for standard input')
    .description('read a backup to its end, check that it is whole, and say what it holds')
    .option('--json', 'print only the result, as JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const surroundings = surroundingsOf(program);
      const secrets = await readSecrets(readConfiguration(surroundings.env));
      const verified = await readingFrom(file, surroundings.stdin, verifyBackup);
      const missing = secrets ? missingKeys(verified.header, secrets.fingerprints) : [];
      const fits = secrets || verified.header.secrets_keys.length === 0 ? missing.length === 0 : null;
      const result: Verification = { ...reportOf(verified), secrets_key_fits: fits, missing_keys: missing };
      printResult(surroundings, result, json === true, showVerified);
      if (fits === false) surroundings.exitCode = 1;
    });
}

const keysOption = (): Option =>
  new Option('--keys <what>', 'keep: API keys and connected apps of that time work; end: none does')
    .choices(['keep', 'end'])
    .makeOptionMandatory();

const webhooksOption = (): Option =>
  new Option('--webhooks <what>', 'keep: webhooks stay as at that time; disable: all are disabled')
    .choices(['keep', 'disable'])
    .makeOptionMandatory();

interface RestoreChoices {
  keys: 'keep' | 'end';
  webhooks: 'keep' | 'disable';
  changeEnvironment?: boolean;
  withoutKey?: boolean;
  json?: boolean;
}

function restoreCommand(program: Command): void {
  program
    .command('restore')
    .argument('<file>', 'a backup; - for standard input')
    .description('fill an empty database with a backup; nothing is sent until `queue resume --all`')
    .addOption(keysOption())
    .addOption(webhooksOption())
    .option('--change-environment', 'make a backup of the other environment one of this ENVIRONMENT')
    .option('--without-key', 'although SECRETS_KEY lacks a key: what it encrypts stays unreadable')
    .option('--json', 'print only the result, as JSON')
    .addHelpText(
      'after',
      '\nWhat was ended or disabled since the backup is not known, so --keys and --webhooks have no default.\ndocs/backup.md says more.',
    )
    .action(async (file: string, choices: RestoreChoices) => {
      const surroundings = surroundingsOf(program);
      const result = await onDatabase(surroundings, async (database, configuration) => {
        const url = database.ownerUrl ?? database.directUrl;
        await requireDirect(url, 'a restore');
        const secrets = await readSecrets(configuration);
        const { keys, webhooks, changeEnvironment = false, withoutKey = false } = choices;
        const restored = await readingFrom(file, surroundings.stdin, (source) =>
          restoreBackup(url, source, {
            clock: systemClock,
            environment: configuration.environment,
            fingerprints: withoutKey ? undefined : (secrets?.fingerprints ?? []),
            as: 'restored',
            changeEnvironment,
            keys,
            webhooks,
          }),
        );
        const { applied } = await migrateAsOwner(database);
        const migrated = applied.length - restored.header.migrations.length;
        return { ...reportOf(restored), ...restored.settled, migrated };
      });
      printResult(surroundings, result, choices.json === true, showRestore);
    });
}

function moveCommand(program: Command): void {
  program
    .command('move-to')
    .argument('<address>', 'postgres://user:password@host:5432/database, an empty one')
    .description('move everything into an empty database of another server, while nothing runs')
    .option('--json', 'print only the result, as JSON')
    .action(async (to: string, { json }: { json?: boolean }) => {
      const surroundings = surroundingsOf(program);
      const result = await onDatabase(
        surroundings,
        async ({ directUrl: from }, configuration): Promise<MoveResult> => {
          await requireDirect(from, 'a move');
          await requireDirect(to, 'a move');
          const secrets = await readSecrets(configuration);
          const moved = await moveDatabase({
            from,
            to,
            version: version(),
            clock: systemClock,
            environment: configuration.environment,
            fingerprints: secrets?.fingerprints ?? [],
          });
          // The key moves by hand, so that it stands in no output.
          const key =
            configuration.secretsKey === undefined ? join(configuration.dataDir, 'secrets-key') : null;
          return moved
            ? { ...reportOf(moved), ...moved.settled, key_file: key }
            : { finished: true, key_file: key };
        },
      );
      printResult(surroundings, result, json === true, showMove);
    });
}

interface RecoveredChoices extends Pick<RestoreChoices, 'keys' | 'webhooks' | 'json'> {
  to: string;
}

function recoveredCommand(program: Command): void {
  program
    .command('recovered')
    .description(
      'after PostgreSQL went back to an earlier moment: nothing is sent until `queue resume --all`',
    )
    .requiredOption('--to <moment>', 'that moment, such as 2027-01-31T09:59:00Z')
    .addOption(keysOption())
    .addOption(webhooksOption())
    .option('--json', 'print only the result, as JSON')
    .addHelpText('after', '\nBefore any process is started again. docs/point-in-time-recovery.md says more.')
    .action(async ({ to, keys, webhooks, json }: RecoveredChoices) => {
      const surroundings = surroundingsOf(program);
      const moment = operatorMoment('to', to);
      const result = await onDatabase(surroundings, async ({ directUrl }, configuration) => {
        const { environment } = configuration;
        const options = { clock: systemClock, environment, moment, keys, webhooks };
        const settled = await asConfigured(configuration, settleRecovered(directUrl, options));
        return { moment: moment.toISOString(), ...settled };
      });
      printResult(surroundings, result, json === true, showRecovered);
    });
}
