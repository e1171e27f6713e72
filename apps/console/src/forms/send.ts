import { setTimeout } from 'node:timers/promises';
import { Problem } from '@dealkeep/core';

const tries = 50;
const pauseMs = 100;

/** Carries a form out. While another sending of the same form runs, waits for what that one makes. */
export async function once<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const running = error instanceof Problem && error.code === 'IDEMPOTENCY_IN_PROGRESS';
      if (!running || attempt === tries) throw error;
      await setTimeout(pauseMs);
    }
  }
}

/** Whether a form that was refused can be mended by whoever sent it. */
export const isMendable = (error: unknown): error is Problem =>
  error instanceof Problem &&
  (error.code === 'VALIDATION_ERROR' || error.code === 'CONFLICT' || error.code === 'IDEMPOTENCY_KEY_REUSED');
