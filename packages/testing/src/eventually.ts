import { vi } from 'vitest';

/** Waits until a check no longer fails, with patience for a machine that others use as well; answers what it answers. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 });
