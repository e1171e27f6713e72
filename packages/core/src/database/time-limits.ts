/** How long the work on a pool may take, in milliseconds. 0 is for ever. */
export interface TimeLimits {
  /** PostgreSQL ends a statement that takes longer (`statement_timeout`). */
  readonly statementMs: number;
  /**
   * Nobody waits longer for a statement, its wait for a connection included: for a server that hangs, or cannot be
   * told. More than `statementMs`, so that a server that lives says itself what was too long.
   */
  readonly answerMs: number;
  /** For making a connection, until it can take its first statement. */
  readonly connectMs: number;
}

/** Somebody waits for an answer, which is to be there within 15 seconds, whatever the database does. */
export const requestLimits: TimeLimits = { statementMs: 8_000, answerMs: 10_000, connectMs: 4_000 };

/** For counting and copying on behalf of somebody who waits. */
export const slowRequestLimits: TimeLimits = { statementMs: 10_000, answerMs: 11_500, connectMs: 4_000 };

/** A load balancer asks whether this process can be given requests, and wants to know within 3 seconds. */
export const readinessLimits: TimeLimits = { statementMs: 1_500, answerMs: 2_000, connectMs: 2_000 };

/** The queue of deliveries: its statements are short, and nobody is kept waiting when one is not. */
export const queueLimits: TimeLimits = { statementMs: 30_000, answerMs: 35_000, connectMs: 10_000 };

/** Migrations, seeding, upkeep, commands of the operator: these take as long as they take, and can be ended by hand. */
export const noLimits: TimeLimits = { statementMs: 0, answerMs: 0, connectMs: 10_000 };
