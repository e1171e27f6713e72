import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  connect,
  migrate,
  noLimits,
  prepareProgramRole,
  type TablesByPlace,
  tablesByPlace,
} from '@dealkeep/core';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { databaseUrl, programUrl } from './database-url.ts';
import { prepareCapture, writeStatements } from './statements/captured-statements.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The test run's PostgreSQL: its superuser's address and the name of the migrated template; where it is a Citus, the
     * addresses of the other servers, each of which has its part of every database.
     */
    postgres: { url: string; template: string; others: string[] };
  }
}

const template = 'template_dealkeep';

/** Starts PostgreSQL for this test run and makes the template that `testDatabase()` copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startTestServer();
  let places: TablesByPlace;
  try {
    places = await createTemplate(url);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('postgres', { url, template, others: [] });
  return async () => {
    await writeStatements(url, places).finally(stop);
  };
}

async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  // A group of its own: Ctrl-C must not end it before the test run.
  const server = spawn(process.execPath, [fileURLToPath(new URL('./test-server.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(server, 'close');
  const url: string | undefined = (await createInterface(server.stdout)[Symbol.asyncIterator]().next()).value;
  if (url === undefined) throw new Error('PostgreSQL for the tests did not start; its message is above');
  return {
    url,
    async stop() {
      server.stdin.end();
      await ended;
    },
  };
}

async function createTemplate(url: string): Promise<TablesByPlace> {
  const server = postgres(url, { max: 1 });
  try {
    const { username, password } = new URL(url);
    await server.unsafe(`alter role "${username}" password '${decodeURIComponent(password)}'`);
    await prepareCapture(server);
    await server`create database ${server(template)}`;
    const owner = databaseUrl(url, template);
    await migrate(owner);
    await prepareProgramRole(owner, programUrl(owner));
    const places = await placesOf(owner);
    await server`alter database ${server(template)} with is_template true allow_connections false`;
    return places;
  } finally {
    await server.end();
  }
}

async function placesOf(url: string): Promise<TablesByPlace> {
  const sql = connect(url, { connections: 1, name: 'tests', limits: noLimits });
  try {
    return await tablesByPlace(sql);
  } finally {
    await sql.end();
  }
}
