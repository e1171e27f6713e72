import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Starts Debian's PgBouncer before a database, until the test ends. Answers the database's address through it. */
export async function startPgBouncer(databaseUrl: string, mode: 'transaction' | 'session'): Promise<string> {
  const database = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-pgbouncer-'));
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users.txt');
  await writeFile(
    settings,
    `[databases]
* = host=${database.hostname} port=${database.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 4
max_client_conn = 200
`,
  );
  await writeFile(
    users,
    `"${decodeURIComponent(database.username)}" "${decodeURIComponent(database.password)}"\n`,
  );
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const nobody = 65_534;
  if (isRoot) for (const path of [folder, settings, users]) await chown(path, nobody, nobody);
  else await chmod(users, 0o600);
  const child = spawn('pgbouncer', [settings], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: `${process.env['PATH']}:/usr/sbin` },
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (/listening on/.test(said)) resolve();
    });
    child.once('close', (code) => reject(new Error(`PgBouncer ended with ${code}: ${said}`)));
  });
  const through = new URL(databaseUrl);
  through.host = `127.0.0.1:${port}`;
  return through.href;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  return address.port;
}
