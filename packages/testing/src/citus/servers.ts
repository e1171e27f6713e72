import postgres from 'postgres';
import { databaseUrl } from '../database-url.ts';

/** A Citus whose workers are known to the database of this address, which an administrator's address leads to. */
export const citusUrl = (): string => {
  const url = process.env['CITUS_URL'];
  if (!url) throw new Error('CITUS_URL names no Citus');
  return url;
};

/** The addresses of its workers. */
export async function workersOf(first: string): Promise<string[]> {
  const server = postgres(first, { max: 1 });
  try {
    const nodes = await server<{ host: string; port: number }[]>`
      select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by groupid`;
    if (nodes.length === 0) throw new Error('The database of CITUS_URL knows no workers');
    return nodes.map(({ host, port }) => Object.assign(new URL(first), { host: `${host}:${port}` }).href);
  } finally {
    await server.end();
  }
}

/** Does the same in a database of each of these servers, one after the other. */
export async function onEach(
  servers: readonly string[],
  database: string,
  work: (server: postgres.Sql) => Promise<unknown>,
): Promise<void> {
  for (const each of servers) {
    const server = postgres(databaseUrl(each, database), { max: 1, onnotice: () => {} });
    await work(server).finally(() => server.end());
  }
}

/** Has Citus in a database that each of these servers has, the first of them knowing the others there. */
export async function joinServers(servers: readonly string[], database: string): Promise<void> {
  await onEach(servers, database, (each) => each`create extension if not exists citus`);
  const [first = '', ...workers] = servers;
  await onEach([first], database, async (server) => {
    const { hostname, port } = new URL(first);
    await server`select citus_set_coordinator_host(${hostname}, ${Number(port)})`;
    for (const each of workers.map((worker) => new URL(worker)))
      await server`select citus_add_node(${each.hostname}, ${Number(each.port)})`;
  });
}
