import { type Clock, connect, type Database, type Environment, systemClock } from '@dealkeep/core';
import type { Command } from 'commander';
import { readConfiguration } from '../configuration.ts';
import { ensureMigrated, openDatabase } from '../open-database.ts';
import { printResult } from '../print-result.ts';

/** What a command works with. */
export interface Operator {
  sql: Database;
  clock: Clock;
  environment: Environment;
}

/** Runs work on the database, whether the server runs or not. */
export async function asOperator<Result>(work: (operator: Operator) => Promise<Result>): Promise<Result> {
  const configuration = readConfiguration(process.env);
  const database = await openDatabase(configuration, () => {});
  const sql = connect(database.url, { connections: 2, name: 'dealkeep command' });
  try {
    await ensureMigrated(sql, database.url);
    return await work({ sql, clock: systemClock, environment: configuration.environment });
  } finally {
    await sql.end({ timeout: 5 });
    await database.close();
  }
}

/** Gives a command its `--json` and prints what its work answers. */
export function answers<Options extends object>(
  command: Command,
  work: (operator: Operator, options: Options, ...operands: string[]) => Promise<unknown>,
): Command {
  return command.option('--json', 'print only the result, as JSON').action(async (...given: unknown[]) => {
    // commander calls with the operands, the options, and the command itself.
    const operands = given.slice(0, -2).filter((each): each is string => typeof each === 'string');
    const options = command.opts<Options & { json?: boolean }>();
    printResult(await asOperator((operator) => work(operator, options, ...operands)), options.json === true);
  });
}
