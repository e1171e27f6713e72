import type { Timing } from '@dealkeep/client';

/**
 * Time that passes only where the client waits: at once, and written down. `random` is 0, so no wait is shortened.
 */
export function instant(): { timing: Timing; waits: number[] } {
  const waits: number[] = [];
  let now = Date.parse('2026-10-01T12:00:00.000Z');
  return {
    waits,
    timing: {
      now: () => now,
      random: () => 0,
      sleep: async (milliseconds) => {
        waits.push(milliseconds);
        now += milliseconds;
      },
    },
  };
}
