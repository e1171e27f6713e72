// A process of its own: counts as many requests as it can within the minutes that it is told, and says how many of
// each minute passed. Started by several-processes.test.ts.
import { connect } from '@dealkeep/core';
import type { Credential } from '../../src/credentials/credential.ts';
import { RateLimiter } from '../../src/rate-limits/rate-limiter.ts';

const [url = '', id = '', organizationId = '', limit = '', organizationLimit = ''] = process.argv.slice(2);
const minutes = 3;
const concurrency = 40;

const credential: Credential = {
  kind: 'api_key',
  id,
  name: 'Hammer',
  scopes: new Set(),
  legacy: false,
  expiresAt: null,
  organization: {
    id: organizationId,
    name: 'Hammer',
    slug: 'hammer',
    subscription: 'active',
    requestsPerMinute: Number(limit),
    organizationRequestsPerMinute: Number(organizationLimit),
  },
  user: { id, name: 'Hammer', email: 'hammer@hammer.example', active: true, permissions: 'owner' },
};

let minute = Number.NaN;
const sql = connect(url, { connections: 10, name: 'hammer' });
const limiter = new RateLimiter({ sql, clock: { now: () => new Date(minute * 60_000 + 1000) } });
const passed: number[] = [];
for (minute = 1_000_000; minute < 1_000_000 + minutes; minute += 1) {
  let count = 0;
  const hammer = async (): Promise<void> => {
    while ((await limiter.count(credential)).passed) count += 1;
  };
  await Promise.all(Array.from({ length: concurrency }, hammer));
  passed.push(count);
}
process.stdout.write(JSON.stringify(passed));
await sql.end();
