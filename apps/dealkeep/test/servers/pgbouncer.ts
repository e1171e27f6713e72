import { join } from 'node:path';
import { freePort } from '@dealkeep/testing';
import postgres from 'postgres';
import { documented, folderOfServer, startServer } from './configured.ts';

export interface PgBouncer {
  /** The database's address through it. */
  url: string;
  /** As `systemctl restart pgbouncer` does it: transactions end, then it does. */
  restart(): Promise<void>;
  /** A command of its console. */
  tell(command: 'PAUSE' | 'RESUME'): Promise<void>;
}

/** Starts Debian's PgBouncer before databases, as `docs/scaling/pgbouncer.ini` has it, until the test ends. */
export async function startPgBouncer(
  databaseUrl: string,
  mode: 'transaction' | 'session' = 'transaction',
): Promise<PgBouncer> {
  const database = new URL(databaseUrl);
  const port = await freePort();
  const user = [database.username, database.password].map(decodeURIComponent);
  const folder = await folderOfServer({
    'userlist.txt': `"${user.join('" "')}"\n"pgbouncer" "of-the-console"\n`,
  });
  const settings = await documented('pgbouncer.ini', [
    ['dealkeep = host=127.0.0.1 port=5432', `* = host=${database.hostname} port=${database.port}`],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['/etc/pgbouncer/userlist.txt', join(folder, 'userlist.txt')],
    ['pool_mode = transaction', `pool_mode = ${mode}`],
    // So few that requests share them.
    ['default_pool_size = 20', 'default_pool_size = 4'],
  ]);
  const configured = join(await folderOfServer({ 'pgbouncer.ini': settings }), 'pgbouncer.ini');
  const start = () => startServer('pgbouncer', [configured], { ready: /listening on/, stop: 'SIGINT' });
  let server = await start();
  const through = new URL(databaseUrl);
  through.host = `127.0.0.1:${port}`;
  return {
    url: through.href,
    async restart() {
      await server.end('SIGINT');
      server = await start();
    },
    async tell(command) {
      const address = `postgres://pgbouncer:of-the-console@127.0.0.1:${port}/pgbouncer`;
      const console = postgres(address, { max: 1, fetch_types: false });
      await console.unsafe(command);
      await console.end();
    },
  };
}
