import type { Command } from 'commander';
import { migrateAsOwner, readMigrationStatus } from '../open-database.ts';
import { printResult } from '../print-result.ts';
import { onDatabase } from './operator.ts';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date')
    .option('--status', 'only show what is applied and what is pending')
    .option('--json', 'print only the result, as JSON')
    .action(async ({ status, json }: { status?: boolean; json?: boolean }) => {
      // Waits for the database, because in a composition of containers this service is the first that needs it.
      const result = await onDatabase(status ? readMigrationStatus : migrateAsOwner, { wait: !status });
      printResult(result, json === true);
    });
}
