import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';

export interface Subscribers {
  urls: string[];
  /** From now on everybody answers 200 at once. */
  becomeWell(): void;
  /** Events that did not reach a subscriber, counted for each of them. */
  countLost(events: readonly string[]): number;
  /** Attempts that came more than once, and how many of those concern none of these deliveries. */
  countRepeated(underWay: ReadonlySet<string>): { twice: number; unexplained: number };
  stop(): Promise<void>;
}

type Manner = (response: ServerResponse) => void;
const answer = (status: number) => (response: ServerResponse) => void response.writeHead(status).end();
const manners: Manner[] = [
  answer(200),
  (response) => void setTimeout(() => answer(200)(response), 200 * Math.random()),
  (response) => answer(Math.random() < 0.2 ? 500 : 200)(response),
  // Hangs now and then.
  (response) => (Math.random() < 0.02 ? undefined : answer(200)(response)),
];

/** Four subscribers: a quick one, a slow one, one that fails at times, one that hangs at times. */
export async function startSubscribers(): Promise<Subscribers> {
  let well = false;
  const received = manners.map(() => new Map<string, Map<string, number>>());
  const servers: Server[] = [];
  const urls: string[] = [];
  for (const [index, manner] of manners.entries()) {
    const server = createServer((request, response) => {
      const event = String(request.headers['webhook-id']);
      const attempt = String(request.headers['x-service-attempt']);
      const attempts = received[index]?.get(event) ?? new Map<string, number>();
      attempts.set(attempt, (attempts.get(attempt) ?? 0) + 1);
      received[index]?.set(event, attempts);
      request.resume();
      (well ? answer(200) : manner)(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const bound = server.address();
    urls.push(`http://127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}/hook`);
    servers.push(server);
  }
  return {
    urls,
    becomeWell() {
      well = true;
    },
    countLost: (events) =>
      received.reduce((lost, events_) => lost + events.filter((id) => !events_.has(id)).length, 0),
    countRepeated(underWay) {
      let twice = 0;
      let unexplained = 0;
      for (const events of received) {
        for (const [event, attempts] of events) {
          for (const count of attempts.values()) {
            if (count > 1) twice += 1;
            if (count > 1 && !underWay.has(event)) unexplained += 1;
          }
        }
      }
      return { twice, unexplained };
    },
    async stop() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}
