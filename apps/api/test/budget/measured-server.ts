// Dealkeep's API, MCP endpoint and console as a process of its own, which tells how much CPU its only JavaScript
// thread has used.
import { createApi, serve } from '@dealkeep/api';
import { createConsole } from '@dealkeep/console';
import { createCore } from '@dealkeep/core';
import {
  connect,
  findPlacement,
  parseAllowedTargets,
  Secrets,
  systemClock,
} from '@dealkeep/core/foundations';
import { createMcp } from '@dealkeep/mcp';

const { DATABASE_URL: databaseUrl = '', SECRET = '' } = process.env;
const error = (fields: object, sentence: string): void => console.error(sentence, fields);
const pool = (name: string, connections = 2) => connect(databaseUrl, { connections, name });
const sql = pool('budget', 10);
const core = createCore({
  sql,
  placement: await findPlacement(sql),
  slowSql: pool('budget slow'),
  gaugesSql: pool('budget gauges'),
  readinessSql: pool('budget readiness'),
  databaseUrl,
  clock: systemClock,
  log: { debug() {}, info() {}, warn() {}, error },
  origin: 'http://localhost:3000',
  environment: 'live',
  secrets: new Secrets([Buffer.from(SECRET, 'hex')]),
  allowedTargets: parseAllowedTargets('127.0.0.0/8'),
  requestCeilings: { session: 1_000_000, application: 1_000_000 },
});
const pages = createConsole({ core });
const api = createApi({ core, elsewhere: pages, assistants: createMcp(core, '0') });
const { port } = await serve(api, { port: 0, host: '127.0.0.1' });

process.on('message', () => {
  const { user, system } = process.threadCpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000 });
});
const routes = pages.routes.filter(({ method }) => method === 'POST').map(({ path }) => path);
process.send?.({ port, routes: [...new Set(routes)] });
