import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from './installation.ts';

export interface Disturbed {
  count: number;
  summary: string;
  /** Events of the deliveries that were not over at some disturbance. */
  underWay: Set<string>;
  /** From the end of a disturbance until an attempt was in the log again. */
  longestMs: number;
}

const kinds = {
  'program killed': (installation: Installation) => installation.endWhole('SIGKILL'),
  'worker killed': (installation: Installation) => installation.endWorker('SIGKILL'),
  'program stopped': (installation: Installation) => installation.endWhole('SIGTERM'),
  'worker stopped': (installation: Installation) => installation.endWorker('SIGTERM'),
  'database restarted': (installation: Installation) => installation.restartDatabase(),
  'database killed': (installation: Installation) => installation.killDatabase(),
};

/** Disturbs the installation at random instants until the end. */
export async function runDisturbances(
  installation: Installation,
  end: number,
  say: (line: string) => void,
): Promise<Disturbed> {
  const underWay = new Set<string>();
  const counts = new Map<string, number>();
  let longestMs = 0;
  const note = async (): Promise<void> => {
    const rows = await patiently(
      () => installation.sql<{ event_id: string }[]>`select event_id from deliveries`,
    );
    for (const { event_id } of rows) underWay.add(event_id);
  };
  while (Date.now() < end) {
    await sleep(500 + Math.random() * 2500);
    const [kind, disturb] = Object.entries(kinds)[Math.floor(Math.random() * 6)] ?? [];
    if (kind === undefined || disturb === undefined) continue;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const noting = note();
    await disturb(installation);
    await noting;
    await note();
    await installation.startMissing();
    const restarted = performance.now();
    const last = await attempts(installation);
    while ((await attempts(installation)) === last) await sleep(20);
    const took = performance.now() - restarted;
    longestMs = Math.max(longestMs, took);
    say(`${kind}; deliveries went on after ${Math.round(took)} ms`);
  }
  const summary = [...counts].map(([kind, count]) => `${kind}: ${count}`).join(', ');
  return { count: [...counts.values()].reduce((sum, count) => sum + count, 0), summary, underWay, longestMs };
}

async function attempts({ sql }: Installation): Promise<string> {
  const [row] = await patiently(
    () => sql<{ last: string }[]>`select coalesce(max(id)::text, '') as last from attempts`,
  );
  return row?.last ?? '';
}

/** Asks again while the database is away. */
async function patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      await sleep(50);
    }
  }
}
