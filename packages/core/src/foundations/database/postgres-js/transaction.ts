import postgres from 'postgres';
import { LostConnection } from '../failures.ts';
import { asking, sendNow } from './asking.ts';
import type { Connection } from './connection.ts';
import { NeverTaken } from './never-taken.ts';
import type { Pool } from './pool.ts';
import { Asked, asQuery, type Query } from './statement.ts';

export type Work<Types extends Record<string, unknown>, Result> = (
  tx: postgres.TransactionSql<Types>,
) => Result | Promise<Result>;

/** A transaction, or a part of one that can be undone by itself. */
interface Scope {
  /** What the first of its statements that failed, failed with. */
  failure?: unknown;
}

/**
 * Runs work in a transaction. Its statements go out with the `begin`, which is a round trip less; should that fail,
 * the first of them has run alone, and no other one follows.
 *
 * @param beginning the `begin`, and statements that go with it
 */
export async function runTransaction<Types extends Record<string, unknown>, Result>(
  pool: Pool,
  sql: postgres.Sql<Types>,
  { beginning, work }: { beginning: string; work: Work<Types, Result> },
): Promise<Result> {
  for (;;) {
    const connection = await pool.reserve();
    try {
      return await new Transaction(pool, sql, connection).run(beginning, work);
    } catch (error) {
      if (!(error instanceof NeverTaken)) throw error;
    } finally {
      pool.release(connection);
    }
  }
}

class Transaction<Types extends Record<string, unknown>> {
  readonly #pool: Pool;
  readonly #sql: postgres.Sql<Types>;
  readonly #connection: Connection;
  /** Nothing more can be done in it: it never began, has ended, or its connection is gone. */
  #isOver = false;
  #savepoints = 0;

  constructor(pool: Pool, sql: postgres.Sql<Types>, connection: Connection) {
    this.#pool = pool;
    this.#sql = sql;
    this.#connection = connection;
  }

  /** Fails at once when its connection is gone, whatever its work still waits for. */
  run<Result>(beginning: string, work: Work<Types, Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const fail = (error: unknown): void => {
        this.#isOver = true;
        reject(error);
      };
      this.#connection.onLost = fail;
      this.#step(beginning).catch(fail);
      this.#work({}, work, 'rollback')
        .then(async (result) => {
          const ended = await this.#step('commit');
          if (ended.command === 'COMMIT') resolve(result);
          // One of its statements had failed, and that was passed over.
          else reject(new Error('The transaction was rolled back, because a statement in it had failed'));
        })
        .catch(reject);
    }).finally(() => {
      this.#isOver = true;
      this.#connection.onLost = undefined;
    });
  }

  async #work<Result>(scope: Scope, work: Work<Types, Result>, undo: string): Promise<Result> {
    try {
      const result = await work(this.#statementsOf(scope));
      if (scope.failure !== undefined) throw scope.failure;
      return result;
    } catch (error) {
      // What fails in it says so by itself.
      await this.#step(undo).catch(() => {});
      throw scope.failure !== undefined && isOfFailedTransaction(error) ? scope.failure : error;
    }
  }

  async #savepoint<Result>(work: Work<Types, Result>): Promise<Result> {
    const name = `s${this.#savepoints}`;
    this.#savepoints += 1;
    // Its work goes out with it. Should it fail, so does everything behind it.
    this.#step(`savepoint ${name}`).catch(() => {});
    return this.#work({}, work, `rollback to ${name}`);
  }

  #statementsOf(scope: Scope): postgres.TransactionSql<Types> {
    const onFailure = (error: unknown): void => {
      scope.failure ??= error;
    };
    const statements: unknown = asking(this.#sql, (query) => this.#ask(query, onFailure), {
      savepoint: (work: Work<Types, unknown>) => this.#savepoint(work),
    });
    // postgres.js has no way to make one.
    return statements as postgres.TransactionSql<Types>;
  }

  async #step(text: string): Promise<{ readonly command: string }> {
    const statement = this.#sql.unsafe(text);
    asQuery(statement).handler = (query) => this.#ask(query, () => {});
    sendNow(statement);
    return statement;
  }

  #ask(query: Query, onFailure: (error: unknown) => void): void {
    if (this.#isOver) query.reject(new LostConnection());
    else this.#connection.ask(new Asked(query, this.#pool.now, onFailure));
  }
}

const isOfFailedTransaction = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '25P02';
