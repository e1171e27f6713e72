import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** In milliseconds since 1970. */
export interface Period {
  kind: string;
  /** What was in flight then is sent again. */
  repeats: boolean;
  from: number;
  to: number;
}

export interface Subscribers {
  urls: string[];
  /** Requests that were answered well so far. */
  readonly answered: number;
  /** Breaks all connections and refuses new ones until the answer is called. */
  cutNetwork(): () => void;
  /** From now on everybody answers 200 at once. */
  becomeWell(): void;
  /** Events that did not reach a subscriber, counted for each of them. */
  countLost(events: readonly string[]): number;
  /** Ids of events that came and are none of these. */
  unknown(events: readonly string[]): string[];
  countRepeated(disturbed: readonly Period[], commitsBetween: CommitsBetween): Repeated;
  stop(): Promise<void>;
}

/** Commits of a bystander between two moments, in milliseconds since 1970. */
type CommitsBetween = (from: number, to: number) => number;

export interface Repeated {
  /** Attempts that came more than once. */
  twice: number;
  /** The stories of those that were not in flight in any of the periods. */
  unexplained: string[];
  /** The attempt that was answered longest before a disturbance and came again; undefined when there was none. */
  latest: Lateness | undefined;
}

/** How long an answered attempt was not written down yet. */
interface Lateness {
  ms: number;
  commits: number;
}

/** When an attempt came and when it was answered, in milliseconds since 1970. */
interface Seen {
  /** It was read then, by this busy process; it had come after `since`, and who sent it may be dead by now. */
  at: number;
  since: number;
  answeredAt: number | undefined;
}

const turnNotedEveryMs = 5;
/**
 * A connection is taken in one turn of the event loop, and what came on it is read in the next; before them it had
 * been busy.
 */
const turnsUntilRead = 3;

type Manner = (answer: (status: number) => void) => void;
const manners: Manner[] = [
  (answer) => answer(200),
  (answer) => void setTimeout(answer, 200 * Math.random(), 200),
  (answer) => answer(Math.random() < 0.2 ? 500 : 200),
  // Hangs now and then.
  (answer) => (Math.random() < 0.02 ? undefined : answer(200)),
];

/** An attempt without an answer is given up after this time. */
const longestAttemptMs = 10_000;
/**
 * So many commits of a bystander after its answer, each 20 ms after the one before, the result of an attempt is in
 * the database. It waits for the results that are being written, which takes six statements where attempts failed,
 * and for the other worker where that writes of the same webhooks; then for others to come, then it is written in
 * the same way. On a quiet machine that is within 0.9 seconds; on a busy one, where the bystander waits for the
 * processor and the disk as the worker does, it takes longer.
 */
const writtenWithinCommits = 40;

/** Four subscribers: a quick one, a slow one, one that fails at times, one that hangs at times. */
export async function startSubscribers(): Promise<Subscribers> {
  let isWell = false;
  let isCut = false;
  let answered = 0;
  /** By subscriber, event and number of the attempt. */
  const received = manners.map(() => new Map<string, Map<string, Seen[]>>());
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const turns = [Date.now()];
  const turning = setInterval(() => {
    if (turns.push(Date.now()) > turnsUntilRead) turns.shift();
  }, turnNotedEveryMs);
  const urls: string[] = [];
  const reply = (response: ServerResponse, seen: Seen, status: number): void => {
    seen.answeredAt = Date.now();
    response.writeHead(status).end();
    if (status === 200 && !isCut) answered += 1;
  };
  for (const [index, manner] of manners.entries()) {
    const server = createServer((request, response) => {
      const event = String(request.headers['webhook-id']);
      const attempt = String(request.headers['x-service-attempt']);
      const attempts = received[index]?.get(event) ?? new Map<string, Seen[]>();
      const at = Date.now();
      const seen: Seen = { at, since: turns[0] ?? at, answeredAt: undefined };
      attempts.set(attempt, [...(attempts.get(attempt) ?? []), seen]);
      received[index]?.set(event, attempts);
      request.resume();
      if (isWell) reply(response, seen, 200);
      else manner((status) => reply(response, seen, status));
    }).listen(0, '127.0.0.1');
    server.on('connection', (socket) => {
      if (isCut) return void socket.resetAndDestroy();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    await once(server, 'listening');
    const bound = server.address();
    urls.push(`http://127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}/hook`);
    servers.push(server);
  }
  return {
    urls,
    get answered() {
      return answered;
    },
    cutNetwork() {
      isCut = true;
      for (const socket of sockets) socket.resetAndDestroy();
      return () => {
        isCut = false;
      };
    },
    becomeWell() {
      isWell = true;
    },
    countLost: (events) =>
      received.reduce((lost, seen) => lost + events.filter((id) => !seen.has(id)).length, 0),
    unknown(events) {
      const known = new Set(events);
      return [...new Set(received.flatMap((seen) => [...seen.keys()]))].filter((id) => !known.has(id));
    },
    countRepeated(disturbed, commitsBetween) {
      const repeated = received
        .flatMap((events) => [...events.values()].flatMap((attempts) => [...attempts.values()]))
        .filter((seen) => seen.length > 1)
        .map((seen) => {
          const all = seen.slice(0, -1).map((each) => latenessOf(each, disturbed, commitsBetween));
          return { seen, lateness: all.reduce((one, other) => (other.commits > one.commits ? other : one)) };
        });
      const unexplained = repeated.filter(({ lateness }) => lateness.commits > writtenWithinCommits);
      const latest = repeated.map(({ lateness }) => lateness).sort((a, b) => b.commits - a.commits)[0];
      return {
        twice: repeated.length,
        unexplained: unexplained.map(({ seen, lateness }) => storyOf(seen, lateness, disturbed)),
        latest,
      };
    },
    async stop() {
      clearInterval(turning);
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

/**
 * How long before a disturbance that may make it come again an attempt was answered; 0 when it was in flight then.
 */
function latenessOf(
  { at, since, answeredAt = at + longestAttemptMs }: Seen,
  disturbed: readonly Period[],
  commitsBetween: CommitsBetween,
): Lateness {
  const next = disturbed.find(({ repeats, to }) => repeats && since <= to);
  if (!next) return { ms: Number.POSITIVE_INFINITY, commits: Number.POSITIVE_INFINITY };
  if (answeredAt >= next.from) return { ms: 0, commits: 0 };
  return { ms: next.from - answeredAt, commits: commitsBetween(answeredAt, next.from) };
}

/** When an attempt came, in milliseconds since it came first, among the disturbances of the time. */
function storyOf(seen: readonly Seen[], { ms, commits }: Lateness, disturbed: readonly Period[]): string {
  const start = seen[0]?.at ?? 0;
  const came = seen.map(
    ({ at, since, answeredAt }) =>
      `${at - start} (after ${since - start}) to ${answeredAt ? answeredAt - start : 'never'}`,
  );
  const around = disturbed
    .filter(({ from, to }) => from < (seen.at(-1)?.at ?? 0) + 1000 && to > start - 20_000)
    .map(({ kind, from, to }) => `${kind} ${from - start} to ${to - start}`);
  return `answered ${ms} ms and ${commits} commits before; came ${came.join(', ')}; ${around.join(', ')}`;
}
