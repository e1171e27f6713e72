/**
 * PgBouncer had no connection of PostgreSQL for what it was sent: it refuses whoever asks, until it has one again,
 * and ends their connections. So nothing of a statement was carried out, nor of a transaction that was to begin by
 * it.
 */
export class NeverTaken extends Error {
  override readonly name = 'NeverTaken';
  /** As postgres.js calls a connection that was ended. */
  readonly code = 'CONNECTION_CLOSED';

  /** @param heard what was heard last on a connection that has ended: is it this refusal, alone and whole? */
  static saidBy(heard: unknown): NeverTaken | undefined {
    if (!Buffer.isBuffer(heard) || heard[0] !== errorResponse || heard.length < 5) return undefined;
    const text = heard.length === 1 + heard.readUInt32BE(1) ? heard.toString('latin1', 5) : '';
    const [, message] = refusalOfPgBouncer.exec(text) ?? [];
    return message === undefined ? undefined : new NeverTaken(message);
  }
}

/** The type of that message: PostgreSQL's documentation, 54.7 Message Formats. */
const errorResponse = 'E'.charCodeAt(0);
const refusalOfPgBouncer = /^SFATAL\0.*\0M(server login has been failing[^\0]*)\0/s;
