import type { Database } from '@dealkeep/core/foundations';
import { WatchedLine } from '@dealkeep/testing';
import { onTestFinished } from 'vitest';
import { type RunningProgram, startProgram } from '../deliveries/running-program.ts';

/** API processes that a test kills, and the line to the database that they all take, which says when. */
export async function killedPrograms(
  databaseUrl: string,
  secretsKey: string,
  /** From beside that line. */
  sql: Database,
): Promise<{ line: WatchedLine; start(): Promise<RunningProgram> }> {
  const line = await WatchedLine.open(databaseUrl);
  return {
    line,
    async start() {
      // What a process has leased of the rate limit dies with it, and many die here.
      await sql`delete from rate_windows`;
      const program = await startProgram({ databaseUrl: line.url, secretsKey, roles: 'api' });
      onTestFinished(async () => void (await program.end('SIGKILL')));
      return program;
    },
  };
}
