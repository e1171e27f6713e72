// The load generator: a process of its own that does as little as it can, so that it does not slow down what it
// measures. Takes one order after another from its parent.
import { connect, type Socket } from 'node:net';
import { numbered, numberMark } from './numbered.ts';

export interface LoadOrder {
  ports: readonly number[];
  connections: number;
  milliseconds: number;
  /** Complete HTTP/1.1 requests as latin-1 texts, sent in turn; each number mark becomes a number. */
  requests: readonly string[];
}

export interface LoadResult {
  requests: number;
  /** Answers by status. */
  statuses: Record<string, number>;
  seconds: number;
  p50: number;
  p99: number;
}

process.on('message', async (order: LoadOrder) => process.send?.(await run(order)));
process.on('disconnect', () => process.exit());

async function run({ ports, connections, milliseconds, requests }: LoadOrder): Promise<LoadResult> {
  const buffers = requests.map((text) => (text.includes(numberMark) ? text : Buffer.from(text, 'latin1')));
  const statuses: Record<string, number> = {};
  const latencies: number[] = [];
  let next = 0;
  const started = performance.now();
  const end = started + milliseconds;
  const request = (): Buffer | undefined => {
    if (performance.now() >= end) return undefined;
    next += 1;
    const chosen = buffers[next % buffers.length];
    return typeof chosen === 'string' ? Buffer.from(numbered(chosen), 'latin1') : chosen;
  };
  const answered = (status: string, milliseconds: number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    latencies.push(milliseconds);
  };
  await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      connection(ports[index % ports.length] ?? 0, request, answered),
    ),
  );
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  return {
    requests: latencies.length,
    statuses,
    seconds: (performance.now() - started) / 1000,
    p50: at(0.5),
    p99: at(0.99),
  };
}

/** One request after another on one connection, until there is none. */
function connection(
  port: number,
  request: () => Buffer | undefined,
  answered: (status: string, milliseconds: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let parts: Buffer[] = [];
    let received = 0;
    let wanted = 0;
    let status = '';
    let sentAt = 0;
    const send = (): void => {
      const next = request();
      if (!next) {
        socket.end();
        resolve();
        return;
      }
      parts = [];
      received = 0;
      wanted = 0;
      sentAt = performance.now();
      socket.write(next);
    };
    socket.once('connect', send);
    socket.once('error', reject);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (wanted === 0) {
        parts.push(chunk);
        const head = parts.length === 1 ? chunk : Buffer.concat(parts);
        const headEnd = head.indexOf('\r\n\r\n');
        if (headEnd === -1) return;
        const text = head.toString('latin1', 0, headEnd);
        status = text.slice(9, 12);
        // A 304 is its head alone.
        const length = status === '304' ? '0' : /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
        if (length === undefined) {
          reject(new Error(`An answer without Content-Length:\n${text}`));
          socket.destroy();
          return;
        }
        wanted = headEnd + 4 + Number(length);
      }
      if (received < wanted) return;
      answered(status, performance.now() - sentAt);
      send();
    });
  });
}
