import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@dealkeep/testing';
import { asNobody, folderOfServer, startServer } from './configured.ts';

export interface DebianPostgres {
  /** Of its superuser. */
  url: string;
  version: string;
  /** As `systemctl restart postgresql` does it: who is connected is thrown out. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** After it was stopped. */
  start(): Promise<void>;
}

/** Starts Debian's PostgreSQL on a database of its own, with the settings it comes with, until the test ends. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const { version, bin } = newestPostgres();
  const folder = await folderOfServer({ password: 'of-the-owner' });
  const data = join(folder, 'data');
  const arguments_ = ['-D', data, '-U', 'dealkeep', '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8'];
  const made = spawnSync(
    join(bin, 'initdb'),
    [...arguments_, '--no-sync', '--pwfile', join(folder, 'password')],
    { ...asNobody, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const settings = ['-p', port, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const start = () =>
    startServer(join(bin, 'postgres'), ['-D', data, ...settings], {
      ready: /ready to accept connections/,
      stop: 'SIGINT',
    });
  let server = await start();
  const again = async (): Promise<void> => {
    server = await start();
  };
  return {
    url: `postgres://dealkeep:of-the-owner@127.0.0.1:${port}/postgres`,
    version,
    async restart() {
      await server.end('SIGINT');
      await again();
    },
    stop: () => server.end('SIGINT'),
    start: again,
  };
}

/** The newest that is installed: Debian has each major version in a folder of its own. */
export function newestPostgres(): { version: string; bin: string } {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const version = versions.find((each) => Number(each) >= 15 && existsSync(join(root, each, 'bin/postgres')));
  if (version === undefined) throw new Error('Debian’s PostgreSQL is missing: apt-get install postgresql');
  return { version, bin: join(root, version, 'bin') };
}
