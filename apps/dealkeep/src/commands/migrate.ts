import { connect, type MigrationStatus, migrate, migrationStatus } from '@dealkeep/core';
import type { Command } from 'commander';
import { printResult } from '../print-result.ts';
import { onDatabase } from './operator.ts';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date')
    .option('--status', 'only show what is applied and what is pending')
    .option('--json', 'print only the result, as JSON')
    .action(async ({ status, json }: { status?: boolean; json?: boolean }) => {
      // The first service of a composition to reach the database.
      const result = await onDatabase(status ? readStatus : (url) => migrate(url), { wait: !status });
      printResult(result, json === true);
    });
}

async function readStatus(url: string): Promise<MigrationStatus> {
  const sql = connect(url, { connections: 1, name: 'dealkeep migrate' });
  try {
    return await migrationStatus(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
