import { Socket } from 'node:net';
import postgres from 'postgres';
import type { TimeLimits } from '../../operating-limits.ts';
import { type DatabaseHost, isSocketFolder } from '../database-address.ts';
import { LostConnection } from '../failures.ts';
import { NeverTaken } from './never-taken.ts';
import { type Asked, asQuery, type Holder, type Query } from './statement.ts';

/** What a connection tells its pool. */
export interface ConnectionEvents {
  /** It can take more. */
  onFree(): void;
  /** It takes nothing more. */
  onGone(connection: Connection): void;
  /** A pooler refused a statement before it had a server for it: nothing was carried out. */
  onNeverTaken(asked: Asked): void;
}

export interface ConnectionOptions {
  /** As `postgres` takes them. */
  readonly settings: object;
  readonly host: DatabaseHost;
  /** A standby is refused. */
  readonly isToWrite: boolean;
  /** `connectMs` until the server knows who connects, then `answerMs` until it answers; none where that is 0. */
  readonly limits: Pick<TimeLimits, 'connectMs' | 'answerMs'>;
  readonly events: ConnectionEvents;
}

/**
 * A connection: a pool of postgres.js that has one, and is used until that breaks. Statements are sent in the order
 * in which they are asked for, without waiting for those before them.
 */
export class Connection implements Holder {
  /** The oldest first. */
  readonly asked = new Set<Asked>();
  /** A transaction has it to itself. */
  isReserved = false;
  /** It takes nothing more. */
  isGone = false;
  /** The tick at which something was heard last. */
  heardAt = 0;
  /** Hears why, once. */
  onLost: ((error: unknown) => void) | undefined;
  /** Fulfilled when it has answered for the first time. */
  readonly opened: Promise<void>;
  readonly #events: ConnectionEvents;
  readonly #client: postgres.Sql;
  readonly #send: Query['handler'];
  #socket: Socket | undefined;
  #onKnown: (() => void) | undefined;
  #lastHeard: unknown;
  #bytesHeard = 0;
  #sending: Asked | undefined;

  constructor({ settings, host, isToWrite, limits, events }: ConnectionOptions) {
    this.#events = events;
    const options: object = {
      ...settings,
      host: [host.host],
      port: [host.port],
      max: 1,
      no_subscribe: true,
      connect_timeout: 0,
      socket: () => this.#connect(host),
      onclose: () => this.close(new LostConnection()),
      onparameter: () => this.#onKnown?.(),
    };
    this.#client = postgres({ ...options });
    const first = asQuery(
      this.#client.unsafe(isToWrite ? 'select pg_is_in_recovery() as standby' : 'select'),
    );
    this.#send = first.handler;
    this.opened = this.#open(first, { host, isToWrite, limits });
  }

  /** Looks whether anything was heard since the last time. */
  look(tick: number): void {
    const bytes = this.#socket?.bytesRead ?? 0;
    if (bytes !== this.#bytesHeard) this.heardAt = tick;
    this.#bytesHeard = bytes;
  }

  ask(asked: Asked): void {
    if (this.isGone) {
      asked.refuse(new LostConnection());
      return;
    }
    asked.holder = this;
    this.asked.add(asked);
    this.#sending = asked;
    this.#send(asked.query);
    this.#sending = undefined;
  }

  answered(asked: Asked): void {
    this.asked.delete(asked);
    if (!this.isReserved) this.#events.onFree();
  }

  failed(asked: Asked, error: unknown): void {
    const isOfServer = error instanceof postgres.PostgresError;
    if (!isOfServer && !this.isGone && !isOfConnection(error) && this.asked.size > 1) {
      // It could not be made into messages. postgres.js blames the statement before it, and answers it with what
      // belongs to the one behind it (#1082).
      const culprit = this.#sending;
      if (culprit) this.asked.delete(culprit);
      culprit?.refuse(error);
      this.close(this.isReserved ? error : new LostConnection());
      return;
    }
    // A copy is answered when it begins.
    const isAnswered = !this.asked.delete(asked);
    const refusal = isOfServer || isAnswered ? undefined : this.#refusal;
    if (refusal && !this.isReserved) this.#events.onNeverTaken(asked);
    else {
      asked.refuse(refusal ?? error);
      if (!this.isReserved) this.#events.onFree();
    }
  }

  /** Ends it at once: whatever waits on it fails with this. */
  close(error: unknown): void {
    this.#leave();
    this.#socket?.destroy();
    for (const asked of this.asked) asked.query.reject(error);
    this.onLost?.(this.#refusal ?? error);
    this.onLost = undefined;
  }

  /** Ends it once the server was told. */
  async end(): Promise<void> {
    this.#leave();
    await this.#client.end({ timeout: goodbyeSeconds });
    this.#socket?.destroy();
  }

  get #refusal(): NeverTaken | undefined {
    return NeverTaken.saidBy(this.#lastHeard);
  }

  async #open(
    first: Query,
    { host, isToWrite, limits }: Pick<ConnectionOptions, 'host' | 'isToWrite' | 'limits'>,
  ): Promise<void> {
    const { promise: lost, reject } = Promise.withResolvers<never>();
    this.onLost = reject;
    const giveUp = (): void => this.close(said(host, 'CONNECT_TIMEOUT', 'did not answer'));
    let timer: NodeJS.Timeout | undefined = setTimeout(giveUp, limits.connectMs);
    this.#onKnown = () => {
      this.#onKnown = undefined;
      clearTimeout(timer);
      timer = limits.answerMs > 0 ? setTimeout(giveUp, limits.answerMs) : undefined;
    };
    try {
      const answer: unknown = await Promise.race([first, lost]);
      const [row] = Array.isArray(answer) ? answer : [];
      if (isToWrite && row?.standby === true) throw standby(host);
      if (this.isGone) throw new LostConnection();
      this.onLost = undefined;
    } catch (error) {
      this.close(new LostConnection());
      throw error;
    } finally {
      this.#onKnown = undefined;
      clearTimeout(timer);
    }
  }

  /** Its socket. When that has broken, nothing that postgres.js would do with another one ever happens. */
  #connect({ host, port }: DatabaseHost): Socket | Promise<never> {
    if (this.#socket) {
      this.close(new LostConnection());
      return new Promise(() => {});
    }
    const socket = new Socket();
    if (isSocketFolder({ host, port })) socket.connect(`${host}/.s.PGSQL.${port}`);
    else socket.connect(port, host);
    // As libpq does: else the end of a `copy … from stdin` waits 40 ms for the server to confirm what came before
    // it.
    socket.setNoDelay(true);
    socket.on('data', (heard) => {
      this.#lastHeard = heard;
    });
    this.#socket = socket;
    // The host that the certificate must name: postgres.js reads `host`, Node reads `_host` where it is an IP
    // address.
    return Object.assign(socket, { host, _host: host });
  }

  #leave(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.#events.onGone(this);
  }
}

const goodbyeSeconds = 0.1;

/** What a system, Node or postgres.js says of a connection has such a code. */
const isOfConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(E[A-Z]+$|CONNECT)/.test(String(error.code));

const said = ({ host, port }: DatabaseHost, code: string, what: string): Error =>
  Object.assign(new Error(`The server at ${host}:${port} ${what}`), { code });

/** PostgreSQL's own code for what takes no writes yet, read_only_sql_transaction. */
export const standby = (server: DatabaseHost): Error => said(server, '25006', 'is a standby');
