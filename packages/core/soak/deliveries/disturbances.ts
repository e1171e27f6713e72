import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from './installation.ts';
import type { Subscribers } from './subscribers.ts';

/** In milliseconds since 1970. */
export interface Period {
  kind: string;
  from: number;
  to: number;
}

export interface Disturbed {
  kills: number;
  /** How often each happened. */
  summary: string;
  periods: Period[];
  /** From the end of a disturbance until a delivery was answered again; the longest. */
  longestMs: number;
}

export interface DisturbanceOptions {
  installation: Installation;
  subscribers: Subscribers;
  /** Ends after so many kills, or at this moment, whichever is given. */
  until: { kills: number } | { time: number };
  stop: AbortSignal;
  say(line: string): void;
}

const quarterOfAnHour = 900_000;
/** Each so often as its weight says. */
const kinds: readonly [what: string, weight: number, act: (options: DisturbanceOptions) => Promise<void>][] =
  [
    ['API and worker killed', 3, ({ installation }) => installation.endWhole('SIGKILL')],
    ['worker killed', 3, ({ installation }) => installation.endWorker('SIGKILL')],
    ['database killed', 2, ({ installation }) => installation.killDatabase()],
    ['API and worker stopped', 1, ({ installation }) => installation.endWhole('SIGTERM')],
    ['worker stopped', 1, ({ installation }) => installation.endWorker('SIGTERM')],
    ['database restarted', 1, ({ installation }) => installation.restartDatabase()],
    ['network cut', 1, cutNetwork],
    ['clock set forward', 1, ({ installation }) => installation.stepClock(quarterOfAnHour)],
    ['clock set back', 1, ({ installation }) => installation.stepClock(-quarterOfAnHour)],
  ];
/** Nobody has to help: deliveries that do not go on by themselves within this time never do. */
const givenUpAfterMs = 30_000;

/** Disturbs the installation at random instants. */
export async function runDisturbances(options: DisturbanceOptions): Promise<Disturbed> {
  const { installation, until, stop, say } = options;
  const counts = new Map<string, number>();
  const periods: Period[] = [];
  let kills = 0;
  let longestMs = 0;
  const isOver = (): boolean => ('kills' in until ? kills >= until.kills : Date.now() >= until.time);
  while (!isOver() && !stop.aborted) {
    await sleep(200 + Math.random() * 1500);
    const [kind, , act] = anyKind();
    const from = Date.now();
    await act(options);
    periods.push({ kind, from, to: Date.now() });
    await installation.startMissing();
    const took = await untilDelivered(options);
    longestMs = Math.max(longestMs, took);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (kind.endsWith('killed')) kills += 1;
    say(`${kind}; deliveries went on after ${took} ms${kind.endsWith('killed') ? `, kill ${kills}` : ''}`);
  }
  return {
    kills,
    summary: [...counts].map(([kind, count]) => `${kind} ${count}`).join(', '),
    periods,
    longestMs,
  };
}

function anyKind(): (typeof kinds)[number] {
  const all = kinds.flatMap((kind) => Array.from({ length: kind[1] }, () => kind));
  const kind = all[Math.floor(Math.random() * all.length)];
  if (!kind) throw new Error('There is no kind of disturbance');
  return kind;
}

async function cutNetwork({ subscribers }: DisturbanceOptions): Promise<void> {
  const mend = subscribers.cutNetwork();
  await sleep(500 + Math.random() * 1500);
  mend();
}

async function untilDelivered({ installation, subscribers, stop }: DisturbanceOptions): Promise<number> {
  const started = performance.now();
  const before = subscribers.answered;
  while (subscribers.answered === before && !stop.aborted) {
    if (performance.now() - started > givenUpAfterMs)
      throw new Error('Deliveries did not go on', { cause: await installation.state() });
    await sleep(5);
  }
  return Math.round(performance.now() - started);
}
