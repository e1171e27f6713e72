import {
  type AllowedTargets,
  type Clock,
  connect,
  type Database,
  type Environment,
  noLimits,
  type OutboundProxy,
  systemClock,
} from '@dealkeep/core/foundations';
import { claimEnvironment } from '@dealkeep/core/installation';
import type { Command } from 'commander';
import { type Configuration, readConfiguration } from '../configuration.ts';
import { asConfigured } from '../configuration-error.ts';
import { unlessInterrupted } from '../interruption.ts';
import { ensureMigrated, type OpenDatabase, openDatabase } from '../open-database.ts';
import { printResult } from '../print-result.ts';
import { type Surroundings, surroundingsOf } from '../surroundings.ts';

/** What a command works with. */
export interface Operator {
  sql: Database;
  clock: Clock;
  environment: Environment;
  /** What may be reached from here, and how. */
  allowedTargets: AllowedTargets;
  outboundProxy: OutboundProxy | undefined;
}

/** Runs work on the database's address, whether the server runs or not. */
export async function onDatabase<Result>(
  surroundings: Surroundings,
  work: (database: OpenDatabase, configuration: Configuration) => Promise<Result>,
  { wait = false } = {},
): Promise<Result> {
  const configuration = readConfiguration(surroundings.env);
  const database = await openDatabase(configuration, { wait });
  return unlessInterrupted(
    surroundings,
    () => work(database, configuration),
    () => database.close(),
  );
}

/** Runs work on the database once it is up to date. */
function asOperator<Result>(
  surroundings: Surroundings,
  work: (operator: Operator) => Promise<Result>,
): Promise<Result> {
  return onDatabase(surroundings, async (database, configuration) => {
    const { environment, allowedTargets, outboundProxy } = configuration;
    const sql = connect(database.url, { connections: 2, name: 'dealkeep command', limits: noLimits });
    try {
      await ensureMigrated(database, configuration.migrate);
      await asConfigured(configuration, claimEnvironment(sql, environment));
      return await work({ sql, clock: systemClock, environment, allowedTargets, outboundProxy });
    } finally {
      await sql.end({ timeout: 5 });
    }
  });
}

/** Gives a command its `--json` and prints what its work answers. */
export function answers<Options extends object, Result = unknown>(
  command: Command,
  work: (operator: Operator, options: Options, ...operands: string[]) => Promise<Result>,
  show?: (result: Result) => string,
): Command {
  return command.option('--json', 'print only the result, as JSON').action(async (...given: unknown[]) => {
    // commander calls with the operands, the options, and the command itself.
    const operands = given.slice(0, -2).filter((each): each is string => typeof each === 'string');
    const options = command.opts<Options & { json?: boolean }>();
    const surroundings = surroundingsOf(command);
    const result = await asOperator(surroundings, (operator) => work(operator, options, ...operands));
    printResult(surroundings, result, options.json === true, show);
  });
}
