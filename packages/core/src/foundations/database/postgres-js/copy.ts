import { Readable, Writable } from 'node:stream';
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
  const { resolve, reject } = query;
  // The statement counts as answered once it takes bytes; what comes of them is told to nobody (#1173). It may have
  // failed before anybody has got hold of its stream, which is closed then.
  query.resolve = (into) => {
    if (into instanceof Writable) into.on('error', failed.reject);
    resolve(into);
  };
  query.reject = (error) => {
    failed.reject(error);
    reject(error);
  };
  const into = await statement.writable();
  const copied = pipeline(Readable.from(data, { objectMode: false }), into);
  await Promise.race([
    failed.promise,
    copied.catch((error: unknown) => Promise.race([failed.promise, Promise.reject(error)])),
  ]);
}
