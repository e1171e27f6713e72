// The same as `load.ts`, by autocannon, which is installed on demand: a public generator to compare with. It takes
// about three times the CPU time of `load.ts`.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachedInstall } from '@dealkeep/tooling';
import type { LoadOrder, LoadResult } from './load.ts';
import { numbered } from './numbered.ts';

type Autocannon = (options: object) => Promise<{
  statusCodeStats: Record<string, { count: number }>;
  /** Seconds. */
  duration: number;
  latency: { p50: number; p99: number };
  errors: number;
}>;

const folder = await cachedInstall('autocannon-8.0.0');
const program = pathToFileURL(join(folder, 'node_modules', 'autocannon', 'autocannon.js'));
const { default: autocannon }: { default: Autocannon } = await import(program.href);

process.on('message', async (order: LoadOrder) => process.send?.(await run(order)));
process.on('disconnect', () => process.exit());

async function run({ ports, connections, milliseconds, requests }: LoadOrder): Promise<LoadResult> {
  const parsed = requests.map((text) => ({ ...parse(text), setupRequest: () => parse(numbered(text)) }));
  let client = 0;
  const result = await autocannon({
    url: ports.map((port) => `http://127.0.0.1:${port}`),
    connections,
    duration: milliseconds / 1000,
    sampleInt: 50,
    // Each connection has its share of them, because taking them apart takes time.
    setupClient(one: { setRequests(requests: object[]): void }) {
      const first = client;
      client += 1;
      const share = parsed.filter((_, at) => at % connections === first % connections);
      one.setRequests(share.length > 0 ? share : parsed);
    },
  });
  if (result.errors > 0) throw new Error(`${result.errors} requests failed`);
  const counts = Object.entries(result.statusCodeStats).map(
    ([status, { count }]) => [status, count] as const,
  );
  return {
    requests: counts.reduce((sum, [, count]) => sum + count, 0),
    statuses: Object.fromEntries(counts),
    seconds: result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** A request as autocannon takes it. */
function parse(text: string): {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
} {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => line.split(': ')).map(([name = '', value = '']) => [name, value]),
  );
  return { method, path, headers, ...(body === '' ? {} : { body: Buffer.from(body, 'latin1') }) };
}
