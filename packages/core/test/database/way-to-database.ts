import { once } from 'node:events';
import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net';
import { freePort, testDatabase } from '@dealkeep/testing';
import { onTestFinished } from 'vitest';
import { connect, type Database } from '../../src/foundations/database/connect.ts';

/**
 * A way to a database that can be closed, as a server is that is being restarted: connections end, new ones are
 * refused.
 */
export interface Way {
  url: string;
  /** Fulfilled when whoever was connected has noticed. */
  close(): Promise<void>;
  open(): Promise<void>;
  /** Whoever asks for anything is told this, and their connection ends, as PgBouncer does it; until it is empty. */
  refuse(message: string): void;
  /** How often anybody was. */
  refused(): number;
}

/** PostgreSQL's message of an error that ends the connection. */
function fatal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** Types of messages that begin statements: Query, Parse, Bind. */
const asking = new Set(Buffer.from('QPB'));

export async function startWay(): Promise<Way> {
  const address = new URL((await testDatabase({ migrated: false })).url);
  const { hostname, port: target } = address;
  const port = await freePort();
  const connected = new Set<Socket>();
  let server: Server | undefined;
  let refused: Buffer | undefined;
  let refusals = 0;
  const close = async (): Promise<void> => {
    server?.close();
    // Whoever was connected may end it by a reset, which is an end as well.
    const ended = [...connected].map((socket) => new Promise((closed) => socket.end().once('close', closed)));
    await Promise.all(ended);
  };
  const open = async (): Promise<void> => {
    server = createServer((near) => {
      const far = connectSocket(Number(target), hostname);
      near.on('data', (sent: Buffer) => {
        if (refused && asking.has(sent[0] ?? 0)) {
          refusals += 1;
          near.end(refused);
        } else far.write(sent);
      });
      near.on('end', () => far.end());
      far.pipe(near);
      connected.add(near);
      near.on('close', () => connected.delete(near) && far.destroy());
      for (const socket of [near, far]) socket.on('error', () => near.destroy());
    }).listen(Number(port), '127.0.0.1');
    await once(server, 'listening');
  };
  onTestFinished(close);
  await open();
  address.host = `127.0.0.1:${port}`;
  const refuse = (message: string): void => {
    refused = message === '' ? undefined : fatal(message);
  };
  return { url: address.href, close, open, refuse, refused: () => refusals };
}

export async function startPool(url: string, connections = 2): Promise<Database> {
  const sql = connect(url, { connections, name: 'test' });
  onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

export const two = (sql: Database): Promise<unknown> => sql`select 2 as two`.then(([row]) => row?.['two']);
export const twoInTransaction = (sql: Database): Promise<unknown> =>
  sql.begin(async (tx) => (await tx`select 2 as two`)[0]?.['two']);
