import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { writeStatements } from './statements/captured-statements.ts';
import type { PreparedServer } from './template.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The test run's PostgreSQL: its superuser's address and the name of the migrated template; where it is a Citus,
     * the addresses of the other servers, each of which has its part of every database.
     */
    postgres: { url: string; template: string; others: string[] };
  }
}

/** Starts PostgreSQL for this test run, with the template that `testDatabase()` copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, template, places, stop } = await startTestServer(project.config.env);
  project.provide('postgres', { url, template, others: [] });
  return async () => {
    await writeStatements(url, places).finally(stop);
  };
}

async function startTestServer(
  variables: NodeJS.ProcessEnv,
): Promise<PreparedServer & { stop(): Promise<void> }> {
  // A group of its own: Ctrl-C must not end it before the test run.
  const server = spawn(process.execPath, [fileURLToPath(new URL('./test-server.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...variables },
    detached: true,
  });
  const ended = once(server, 'close');
  const line: string | undefined = (await createInterface(server.stdout)[Symbol.asyncIterator]().next())
    .value;
  if (line === undefined) throw new Error('PostgreSQL for the tests did not start; its message is above');
  const prepared: PreparedServer = JSON.parse(line);
  return {
    ...prepared,
    async stop() {
      server.stdin.end();
      await ended;
    },
  };
}
