import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@dealkeep/testing';
import { onTestFinished } from 'vitest';
import { asNobody, folderOfServer } from '../servers/configured.ts';
import { newestPostgres } from '../servers/debian-postgres.ts';

export interface ShelledPostgres {
  /** A folder that its user may write. */
  folder: string;
  data: string;
  url: string;
  /** Runs lines of a shell as the user of the server, as the page says them. */
  shell(lines: string): Promise<string>;
}

/** A new server that is ruled by `pg_ctl`, as the page has it; it ends with the test. */
export async function startShelledPostgres(): Promise<ShelledPostgres> {
  const { bin } = newestPostgres();
  const folder = await folderOfServer();
  const data = join(folder, 'main');
  const log = join(folder, 'log');
  const port = await freePort();
  const env = {
    PATH: `${bin}:${process.env['PATH']}`,
    PGHOST: folder,
    PGPORT: port,
    PGUSER: 'dealkeep',
    PGDATABASE: 'dealkeep',
    LC_ALL: 'C.UTF-8',
  };
  const shell = (lines: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const told = (): string =>
        existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(-20).join('\n') : '';
      const options = { cwd: folder, env, ...asNobody };
      execFile('bash', ['--norc', '-euo', 'pipefail', '-c', lines], options, (error, stdout, stderr) =>
        error ? reject(new Error(`${error.message}\n${stdout}${stderr}${told()}`)) : resolve(stdout),
      );
    });
  // One that has ended already has no file that says which process it is.
  onTestFinished(async () => {
    if (existsSync(join(data, 'postmaster.pid')))
      await shell(`pg_ctl --pgdata ${data} --mode immediate stop`);
  });
  await shell(`initdb --pgdata ${data} --username dealkeep --auth trust --encoding UTF8 --no-sync
    cat >> ${data}/postgresql.conf <<END
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${folder}'
END
    pg_ctl --pgdata ${data} --wait --log ${log} start
    createdb dealkeep`);
  return { folder, data, shell, url: `postgres://dealkeep:any@127.0.0.1:${port}/dealkeep` };
}
