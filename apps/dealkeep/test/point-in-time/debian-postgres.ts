import { execFile, execFileSync } from 'node:child_process';
import { chownSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const nobody = 65_534;

/** PostgreSQL refuses to run as root. */
const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

export interface DebianPostgres {
  /** A folder that its user may write. */
  folder: string;
  data: string;
  url: string;
  /** Runs lines of a shell as the user of the server, as the page says them. */
  shell(lines: string): Promise<string>;
}

/** Where Debian has the programs of the newest PostgreSQL that is installed. */
export async function debianPrograms(): Promise<string> {
  const versions = (await readdir('/usr/lib/postgresql').catch(() => [])).map(Number).sort((a, b) => b - a);
  if (versions.length === 0) throw new Error('pg_basebackup is missing: it comes with Debian’s postgresql');
  return `/usr/lib/postgresql/${versions[0]}/bin`;
}

/** A new server of its own, as Debian's packages have it but for its place; ended with the file. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const programs = await debianPrograms();
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-point-in-time-'));
  if (asNobody.uid !== undefined) chownSync(folder, nobody, nobody);
  const data = join(folder, 'main');
  const port = await freePort();
  const env = {
    PATH: `${programs}:${process.env['PATH']}`,
    PGHOST: folder,
    PGPORT: String(port),
    PGUSER: 'dealkeep',
    PGDATABASE: 'dealkeep',
    LC_ALL: 'C.UTF-8',
  };
  const shell = (lines: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const log = (): string => readFileSync(join(folder, 'log'), 'utf8').split('\n').slice(-20).join('\n');
      const options = { cwd: folder, env, ...asNobody };
      execFile('bash', ['--norc', '-euo', 'pipefail', '-c', lines], options, (error, stdout, stderr) =>
        error ? reject(new Error(`${error.message}\n${stdout}${stderr}${log()}`)) : resolve(stdout),
      );
    });
  afterAll(async () => {
    const stop = join(programs, 'pg_ctl');
    try {
      execFileSync(stop, ['-D', data, '-m', 'immediate', 'stop'], {
        ...asNobody,
        cwd: folder,
        stdio: 'ignore',
      });
    } catch {
      // It has ended already.
    }
    await rm(folder, { recursive: true, force: true });
  });
  await shell(`initdb --pgdata ${data} --username dealkeep --auth trust --encoding UTF8 --no-sync
    cat >> ${data}/postgresql.conf <<END
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${folder}'
END
    pg_ctl --pgdata ${data} --wait --log ${folder}/log start
    createdb dealkeep`);
  return { folder, data, shell, url: `postgres://dealkeep:any@127.0.0.1:${port}/dealkeep` };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  return address.port;
}
