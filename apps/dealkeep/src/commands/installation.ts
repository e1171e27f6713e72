import { lackingInWords, type MigrationStatus } from '@dealkeep/core/foundations';
import { seedDemo } from '@dealkeep/core/installation';
import { type Command, InvalidArgumentError } from 'commander';
import { examine } from '../doctor/examine.ts';
import { oneLine } from '../one-line.ts';
import { lackingRights, migrateAsOwner, readMigrationStatus } from '../open-database.ts';
import { printResult } from '../print-result.ts';
import { surroundingsOf } from '../surroundings.ts';
import { answers, onDatabase } from './operator.ts';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date')
    .option('--status', 'only show what is applied and what is pending')
    .option('--json', 'print only the result, as JSON')
    .action(async ({ status, json }: { status?: boolean; json?: boolean }) => {
      const surroundings = surroundingsOf(program);
      // Waits for the database, because in a composition of containers this service is the first that needs it.
      const result = await onDatabase(
        surroundings,
        async (database) => {
          if (!status) return { ...(await migrateAsOwner(database)), lacking: [] };
          const standing = await readMigrationStatus(database);
          // Before all are applied, the role may be missing, and is given its rights by them.
          const lacking = standing.pending.length > 0 ? [] : await lackingRights(database.url);
          return { ...standing, lacking };
        },
        { wait: !status },
      );
      printResult(surroundings, result, json === true, showMigrations);
    });
}

/** Of those that are applied, which are many, the last stands for all. */
function showMigrations({
  applied,
  pending,
  newer,
  unknown,
  lacking,
}: MigrationStatus & { lacking: readonly string[] }): string {
  const last = applied.at(-1);
  const named = (names: readonly string[]): string => names.join(', ') || 'none';
  const lines: readonly (readonly [label: string, value: string])[] = [
    ['applied', last === undefined ? 'none' : `${applied.length}, the last is ${last}`],
    ['pending', named(pending)],
    ['newer', named(newer)],
    ['unknown', named(unknown)],
    [
      'rights',
      lacking.length === 0 ? 'complete' : `the role of DATABASE_URL lacks ${lackingInWords(lacking)}`,
    ],
  ];
  return lines.map(([label, value]) => `${label.padEnd('applied'.length)}  ${value}`).join('\n');
}

type Size = 'small' | number;

export function demoCommands(program: Command): void {
  const group = program.command('demo').description('fictional data');
  answers<{ organization: string; size: Size }>(
    group
      .command('seed')
      .description('add fictional records of every kind to an organization')
      .requiredOption('--organization <slug>')
      .option('--size <size>', 'small (24 companies, 40 leads) or a number of leads', sizeOf, 'small'),
    (operator, { organization, size }) =>
      seedDemo(operator, organization, size, (progress) => {
        if (size !== 'small') surroundingsOf(program).stderr.write(`${progress}\n`);
      }),
  );
}

function sizeOf(text: string): Size {
  if (text === 'small') return text;
  if (/^\d{1,8}$/.test(text) && Number(text) >= 1) return Number(text);
  throw new InvalidArgumentError('It takes small or a number of leads.');
}

const marks = { ok: 'ok  ', warning: 'warn', failed: 'FAIL' };

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check configuration, database, clock, DNS and allowed targets, and say how to mend')
    .option('--json', 'print only the result, as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const surroundings = surroundingsOf(program);
      const findings = await examine(surroundings.env);
      const lines = findings.map(
        ({ check, state, finding, mend }) =>
          `${marks[state]}  ${check}: ${oneLine(finding)}${mend ? `\n        ${mend}` : ''}`,
      );
      surroundings.stdout.write(`${json ? JSON.stringify(findings) : lines.join('\n')}\n`);
      if (findings.some(({ state }) => state === 'failed')) surroundings.exitCode = 1;
    });
}
