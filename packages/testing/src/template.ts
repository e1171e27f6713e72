import {
  connect,
  migrate,
  noLimits,
  prepareProgramRole,
  type TablesByPlace,
  tablesByPlace,
} from '@dealkeep/core/foundations';
import postgres from 'postgres';
import { databaseUrl, programUrl } from './database-url.ts';
import { prepareCapture } from './statements/captured-statements.ts';

/** A PostgreSQL whose databases can be copies of a migrated one. */
export interface PreparedServer {
  /** Its superuser's address. */
  url: string;
  /** The name of the migrated database. */
  template: string;
  places: TablesByPlace;
}

const template = 'template_dealkeep';

/** Makes the database that `testDatabase()` copies. */
export async function createTemplate(url: string): Promise<PreparedServer> {
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
    return { url, template, places };
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
