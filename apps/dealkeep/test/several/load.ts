import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** One try of a request. */
export interface Attempt {
  what: string;
  /** In milliseconds since 1970. */
  from: number;
  to: number;
  /** 0: there was none. */
  status: number;
  said: string;
}

export interface Load {
  attempts: readonly Attempt[];
  /** Names of the records that were made, as their writers were told. */
  made: readonly string[];
  /** Ids of the events that a reader of the feed has been shown, in their order. */
  seen: readonly string[];
  /** Ends it; fulfilled when everybody has got what he wants. */
  stop(): Promise<void>;
}

const triedAgainMs = 100;
/** Nobody waits for longer for what he repeats. */
const patienceMs = 30_000;

/** What connectors send: records made with a key and changed, looked at and listed, and the feed read beside it. */
export function startLoad(origin: string, token: string): Load {
  const end = new AbortController();
  const attempts: Attempt[] = [];
  const made: string[] = [];
  const seen: string[] = [];
  const ids: string[] = [];

  /** Sends a request until it is answered well, as a connector repeats it: with the same key. */
  const send = async <Sent>(method: string, path: string, body?: object): Promise<Sent> => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
    };
    for (const started = Date.now(); Date.now() - started < patienceMs; await sleep(triedAgainMs)) {
      const from = Date.now();
      const { status, said } = await fetch(`${origin}/api/v1/public${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      }).then(
        async (answer) => ({ status: answer.status, said: await answer.text() }),
        (error: Error) => ({ status: 0, said: String(error.cause ?? error) }),
      );
      const what = `${method} ${path.replace(/[0-9a-f-]{36}/, '{id}').replace(/\?.*/, '')}`;
      attempts.push({ what, from, to: Date.now(), status, said: status < 300 && status > 0 ? '' : said });
      if (status >= 200 && status < 300) return JSON.parse(said);
      if (![0, 409, 429].includes(status) && status < 500) break;
    }
    throw new Error(
      `${method} ${path} was not answered well: ${JSON.stringify(attempts.findLast((each) => each.status >= 300))}`,
    );
  };
  const anyId = (): string => ids[Math.floor(Math.random() * ids.length)] ?? '';
  const make = async (path: string, more: object = {}): Promise<void> => {
    const name = `Made ${randomUUID()}`;
    const { data } = await send<{ data: { id: string } }>('POST', path, { name, ...more });
    made.push(name);
    if (path === '/leads') ids.push(data.id);
  };
  let value = 0;
  const nextValue = (): number => {
    value += 1;
    return value;
  };
  const kinds: (() => Promise<unknown>)[] = [
    () => make('/leads', { value: nextValue() }),
    () => make('/leads', { value: nextValue(), company: { name: 'Somewhere' } }),
    () => make('/companies'),
    () => send('PATCH', `/leads/${anyId()}`, { value: nextValue() }),
    () => send('GET', `/leads/${anyId()}`),
    () => send('GET', '/leads?limit=25'),
  ];
  const client = async (work: () => Promise<unknown>): Promise<void> => {
    while (!end.signal.aborted) {
      await work();
      await sleep(50);
    }
  };
  let cursor = '';
  const readFeed = async (wait: number): Promise<boolean> => {
    const page = await send<{ data: { id: string }[]; next_cursor: string }>(
      'GET',
      `/events?limit=50&wait=${wait}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    for (const { id } of page.data) seen.push(id);
    cursor = page.next_cursor;
    return page.data.length > 0;
  };
  const running = make('/leads').then(() =>
    Promise.all([
      ...kinds.map(client),
      client(async () => void (await readFeed(5))),
      client(() => send('GET', '/me')),
    ]),
  );
  return {
    attempts,
    made,
    seen,
    async stop() {
      end.abort();
      await running;
      while (await readFeed(1));
    },
  };
}
