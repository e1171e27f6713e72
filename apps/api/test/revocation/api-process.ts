// A process of its own that serves API and console on a database, until its stdin ends. Prints its port. Started by
// revocation.long.test.ts.
import { createApi, serve } from '@dealkeep/api';
import { createConsole } from '@dealkeep/console';
import { createCore } from '@dealkeep/core';
import {
  connectPools,
  findPlacement,
  parseAllowedTargets,
  Secrets,
  systemClock,
} from '@dealkeep/core/foundations';

const [databaseUrl = '', directUrl = '', secretsKey = ''] = process.argv.slice(2);
const pools = connectPools(databaseUrl, 5);
const core = createCore({
  ...pools,
  placement: await findPlacement(pools.sql),
  databaseUrl: directUrl,
  clock: systemClock,
  origin: 'http://localhost:3000',
  log: { debug() {}, info() {}, warn() {}, error() {} },
  environment: 'live',
  secrets: new Secrets([Buffer.from(secretsKey, 'hex')]),
  allowedTargets: parseAllowedTargets(''),
});
const server = await serve(createApi({ core, elsewhere: createConsole({ core }) }), {
  port: 0,
  host: '127.0.0.1',
});
process.stdout.write(`${server.port}\n`);
process.stdin.resume();
process.stdin.on('end', () => process.exit());
