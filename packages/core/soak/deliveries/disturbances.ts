import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from './installation.ts';
import type { Period, Subscribers } from './subscribers.ts';

export interface Disturbed {
  kills: number;
  /** How often each happened. */
  summary: string;
  periods: Period[];
  /** From the end of a disturbance until a delivery was answered again; the longest of each kind. */
  longestMs: Map<string, number>;
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

interface Kind {
  kind: string;
  /** How often it happens beside the others. */
  weight: number;
  /** What was in flight then is sent again. */
  repeats: boolean;
  act(options: DisturbanceOptions): Promise<void>;
}

const kinds: readonly Kind[] = [
  {
    kind: 'one program killed',
    weight: 4,
    repeats: true,
    act: ({ installation }) => installation.endOne('SIGKILL'),
  },
  {
    kind: 'both programs killed',
    weight: 2,
    repeats: true,
    act: ({ installation }) => installation.endAll('SIGKILL'),
  },
  {
    kind: 'database killed',
    weight: 2,
    repeats: true,
    act: ({ installation }) => installation.killDatabase(),
  },
  {
    kind: 'one program stopped',
    weight: 1,
    repeats: true,
    act: ({ installation }) => installation.endOne('SIGTERM'),
  },
  {
    kind: 'both programs stopped',
    weight: 1,
    repeats: true,
    act: ({ installation }) => installation.endAll('SIGTERM'),
  },
  {
    kind: 'database restarted',
    weight: 1,
    repeats: true,
    act: ({ installation }) => installation.restartDatabase(),
  },
  { kind: 'network cut', weight: 1, repeats: false, act: cutNetwork },
  {
    kind: 'clock set forward',
    weight: 1,
    repeats: false,
    act: ({ installation }) => installation.stepClock(quarterOfAnHour),
  },
  {
    kind: 'clock set back',
    weight: 1,
    repeats: false,
    act: ({ installation }) => installation.stepClock(-quarterOfAnHour),
  },
];
/** Nobody has to help: deliveries that do not go on by themselves within this time never do. */
const givenUpAfterMs = 30_000;

/** Disturbs the installation at random instants. */
export async function runDisturbances(options: DisturbanceOptions): Promise<Disturbed> {
  const { installation, until, stop, say } = options;
  const counts = new Map<string, number>();
  const periods: Period[] = [];
  let kills = 0;
  const longestMs = new Map<string, number>();
  const isOver = (): boolean => ('kills' in until ? kills >= until.kills : Date.now() >= until.time);
  while (!isOver() && !stop.aborted) {
    await sleep(100 + Math.random() * 900);
    const { kind, repeats, act } = anyKind();
    const from = Date.now();
    await act(options);
    periods.push({ kind, repeats, from, to: Date.now() });
    await installation.startMissing();
    await installation.forgetRequests();
    const took = await untilDelivered(options);
    longestMs.set(kind, Math.max(longestMs.get(kind) ?? 0, took));
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

function anyKind(): Kind {
  const all = kinds.flatMap((kind) => Array.from({ length: kind.weight }, () => kind));
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
