import { mcpPath } from '@dealkeep/contract';
import { updateOrganization } from '@dealkeep/core/accounts';
import { defaultLimits } from '@dealkeep/core/foundations';
import type { BenchOrganization } from './business.ts';
import { type Figure, figure, median } from './figures.ts';
import type { LoadResult } from './load.ts';
import { type Measured, measure, measurePair, noteOf, type Pair } from './measure.ts';
import { startLoadGenerator, startRole } from './processes.ts';
import { type Bench, postmasterOf } from './ratios.ts';
import { requestsOf } from './targets.ts';

const revisions = { '2026-07-28': modern, '2025-11-25': legacy } as const;

/** Calls of tools against the same requests of the API, in alternating slices; and what a list of tools takes. */
export async function measureAssistants({
  url,
  sql,
  load,
  businesses,
  scale,
  say,
}: Bench): Promise<Figure[]> {
  const api = await startRole('api', 4714, {
    DATABASE_URL: url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const postmaster = await postmasterOf(sql);
  const milliseconds = scale < 1 ? 1000 : 2000;
  const rounds = scale < 1 ? 7 : 15;
  const target = (requests: readonly string[], connections?: number) => ({
    processes: [api],
    postmaster,
    requests,
    ...(connections === undefined ? {} : { connections }),
  });
  try {
    const base = target(requestsOf(businesses).lead);
    const figures: Figure[] = [];
    for (const [revision, ask] of Object.entries(revisions)) {
      const own = target(getLeads(businesses, ask));
      for (const each of [base, own, base, own]) await measure(load, each, 2000);
      const pairs: Pair[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        say(`get_lead (${revision}), round ${round} of ${rounds} …`);
        pairs.push(await measurePair(load, { base, own, milliseconds }));
      }
      figures.push(
        figure(
          `get_lead (${revision})`,
          median(pairs.map(({ own: of, base: by }) => cpuOf(of) / cpuOf(by))),
          {
            unit: 'of the CPU of GET /leads/{id}, PostgreSQL with it',
            rule: 'at most',
            goal: 1.3,
            note: `${noteOf(pairs.map((pair) => pair.own))}; GET: ${noteOf(pairs.map((pair) => pair.base))}`,
          },
        ),
      );
    }
    for (const path of [mcpPath, `${mcpPath}/all`]) {
      const list = target(
        businesses.map(({ key }) => modern(key, path, 'tools/list', {})),
        1,
      );
      await measure(load, list, 2000);
      say(`tools/list at ${path} …`);
      const run = await measure(load, list, milliseconds * 2);
      figures.push(
        figure(`tools/list at ${path}`, (run.cpu ?? Number.NaN) / 1000, {
          unit: 'ms of CPU',
          rule: 'at most',
          goal: 5,
          note: noteOf([run]),
        }),
      );
    }
    figures.push(...(await besideFloods({ sql, load, businesses, say }, api.port, milliseconds * 2)));
    return figures;
  } finally {
    await api.stop();
  }
}

/**
 * How long others wait while one key, at the usual limit of requests a minute, is used over 200 connections without
 * a pause: for calls of tools, and for requests of the API, which everybody may send anyway.
 */
async function besideFloods(
  { sql, load, businesses, say }: Pick<Bench, 'sql' | 'load' | 'businesses' | 'say'>,
  port: number,
  milliseconds: number,
): Promise<Figure[]> {
  const [hostile, ...others] = businesses;
  if (!hostile || others.length === 0) throw new Error('There are not two organizations');
  const [row] = await sql<{ slug: string }[]>`select slug from organizations where id = ${hostile.id}`;
  const { requestsPerMinute, organizationRequestsPerMinute: orgRequestsPerMinute } = defaultLimits('live');
  await updateOrganization(sql, row?.slug ?? '', { requestsPerMinute, orgRequestsPerMinute });
  const flood = startLoadGenerator();
  const beside = async (requests: readonly string[]): Promise<LoadResult> => {
    const order = { ports: [port], milliseconds, requests: requestsOf(others).lead, connections: 4 };
    if (requests.length === 0) return load.run(order);
    const flooded = flood.run({ ports: [port], milliseconds, requests, connections: 200 });
    const result = await load.run(order);
    await flooded;
    return result;
  };
  try {
    const runs: Record<'alone' | 'requests' | 'calls', LoadResult[]> = { alone: [], requests: [], calls: [] };
    for (let round = 1; round <= 5; round += 1) {
      say(`GET /leads/{id} of others beside floods, round ${round} of 5 …`);
      runs.alone.push(await beside([]));
      runs.requests.push(await beside(requestsOf([hostile]).lead));
      runs.calls.push(await beside(getLeads([hostile], modern)));
    }
    const note = Object.entries(runs)
      .map(([name, all]) => `${name} ${all.map(({ p50 }) => p50.toFixed(1)).join(', ')} ms`)
      .join('; ');
    const of = (all: readonly LoadResult[]): number => median(all.map(({ p50 }) => p50));
    return [
      figure('GET of others beside a flood of calls', of(runs.calls) / of(runs.requests), {
        unit: 'of what it takes beside a flood of requests, p50',
        rule: 'at most',
        goal: 1.5,
        note,
      }),
    ];
  } finally {
    flood.stop();
  }
}

/** Of the API and of PostgreSQL. */
const cpuOf = ({ cpu = Number.NaN, databaseCpu = Number.NaN }: Measured): number => cpu + databaseCpu;

const getLeads = (businesses: readonly BenchOrganization[], ask: typeof modern): string[] =>
  Array.from({ length: 50 }, (_, index) =>
    businesses.map(({ key, leads }) =>
      ask(key, mcpPath, 'tools/call', {
        name: 'get_lead',
        arguments: { id: leads[index % leads.length] },
      }),
    ),
  ).flat();

/** A request as a client of the newer revision sends it, whole on the wire. */
function modern(key: string, path: string, method: string, params: Record<string, unknown>): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = typeof params['name'] === 'string' ? [`Mcp-Name: ${params['name']}`] : [];
  return wire(key, path, { method, params: { ...params, _meta } }, [
    'MCP-Protocol-Version: 2026-07-28',
    `Mcp-Method: ${method}`,
    ...name,
  ]);
}

function legacy(key: string, path: string, method: string, params: Record<string, unknown>): string {
  return wire(key, path, { method, params }, ['MCP-Protocol-Version: 2025-11-25']);
}

function wire(key: string, path: string, message: object, headers: readonly string[]): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
  return [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n');
}
