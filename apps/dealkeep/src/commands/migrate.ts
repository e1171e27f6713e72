import { connect, migrate, migrationStatus } from '@dealkeep/core';
import type { Command } from 'commander';
import { readConfiguration } from '../configuration.ts';
import { openDatabase } from '../open-database.ts';
import { printResult } from '../print-result.ts';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date')
    .option('--status', 'only show what is applied and what is pending')
    .option('--json', 'print only the result, as JSON')
    .action(async ({ status, json }: { status?: boolean; json?: boolean }) => {
      const database = await openDatabase(readConfiguration(process.env), () => {});
      try {
        printResult(status ? await readStatus(database.url) : await migrate(database.url), json === true);
      } finally {
        await database.close();
      }
    });
}

async function readStatus(url: string) {
  const sql = connect(url, { connections: 1, name: 'dealkeep migrate' });
  try {
    return await migrationStatus(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
