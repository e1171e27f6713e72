import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Period } from './disturbances.ts';

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
  /** Attempts that came more than once, and how many of those were not in flight in any of these periods. */
  countRepeated(disturbed: readonly Period[]): { twice: number; unexplained: string[] };
  stop(): Promise<void>;
}

/** When an attempt came and when it was answered, in milliseconds since 1970. */
interface Seen {
  at: number;
  answeredAt: number | undefined;
}

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
/** Within this time after its answer, the result of an attempt is in the database. */
const writtenWithinMs = 1000;

/** Four subscribers: a quick one, a slow one, one that fails at times, one that hangs at times. */
export async function startSubscribers(): Promise<Subscribers> {
  let isWell = false;
  let isCut = false;
  let answered = 0;
  /** By subscriber, event and number of the attempt. */
  const received = manners.map(() => new Map<string, Map<string, Seen[]>>());
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
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
      const seen: Seen = { at: Date.now(), answeredAt: undefined };
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
    countRepeated(disturbed) {
      const repeated = received
        .flatMap((events) => [...events.values()].flatMap((attempts) => [...attempts.values()]))
        .filter((seen) => seen.length > 1);
      const unexplained = repeated.filter((seen) =>
        seen.slice(0, -1).some((each) => !disturbed.some((period) => wasInFlight(each, period))),
      );
      return { twice: repeated.length, unexplained: unexplained.map((seen) => storyOf(seen, disturbed)) };
    },
    async stop() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

/** Whether an attempt may not have been written down when this period began, or was sent within it. */
const wasInFlight = ({ at, answeredAt }: Seen, { from, to }: Period): boolean =>
  at <= to && (answeredAt ?? at + longestAttemptMs) + writtenWithinMs >= from;

/** When an attempt came, in milliseconds since it came first, among the disturbances of the time. */
function storyOf(seen: readonly Seen[], disturbed: readonly Period[]): string {
  const start = seen[0]?.at ?? 0;
  const came = seen.map(
    ({ at, answeredAt }) => `${at - start} to ${answeredAt ? answeredAt - start : 'never'}`,
  );
  const around = disturbed
    .filter(({ from, to }) => from < (seen.at(-1)?.at ?? 0) + 1000 && to > start - 20_000)
    .map(({ kind, from, to }) => `${kind} ${from - start} to ${to - start}`);
  return `came ${came.join(', ')}; ${around.join(', ')}`;
}
