import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type postgres from 'postgres';
import { asQuery } from './statement.ts';

/** The bytes of a `copy … to stdout`, to be read to their end: a connection that is left in the middle is lost. */
export async function* copyOut(statement: postgres.PendingQuery<postgres.Row[]>): AsyncGenerator<Buffer> {
  const rows: Readable = await statement.readable();
  yield* rows;
  // postgres.js pauses the socket while too much waits, and forgets that when the last of it has come (#1016).
  rows._read(0);
}

/** Runs a `copy … from stdin` with these bytes. */
export async function copyIn(
  statement: postgres.PendingQuery<postgres.Row[]>,
  data: AsyncIterable<Buffer>,
): Promise<void> {
  const query = asQuery(statement);
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const { reject } = query;
  // The statement counts as answered once it takes bytes; what comes of them is told to nobody (#1173).
  query.reject = (error) => {
    failed.reject(error);
    reject(error);
  };
  const into = await statement.writable();
  await Promise.race([failed.promise, pipeline(Readable.from(data, { objectMode: false }), into)]);
}
