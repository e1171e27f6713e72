// A process of its own: for each credential that it is told of, counts as many requests as it can within three
// minutes, and says how many of each minute passed. Started by several-processes.long.test.ts.
import { connect } from '@dealkeep/core/foundations';
import * as z from 'zod';
import type { Credential } from '../../src/identity/credentials/credential.ts';
import { RateLimiter } from '../../src/identity/rate-limits/rate-limiter.ts';

const Told = z.object({
  key: z.string(),
  organization: z.string(),
  limits: z.object({ credential: z.number(), organization: z.number() }),
});
const minutes = 3;
const concurrency = 40;

const [url = ''] = process.argv.slice(2);
const sql = connect(url, { connections: 10, name: 'hammer' });

const credentialOf = ({ key, organization, limits }: z.infer<typeof Told>): Credential => ({
  kind: 'api_key',
  id: key,
  name: 'Hammer',
  scopes: new Set(),
  legacy: false,
  expiresAt: null,
  assistants: { access: 'all', toolSets: null },
  organization: {
    id: organization,
    name: 'Hammer',
    slug: 'hammer',
    currency: 'EUR',
    timeZone: 'Europe/Bratislava',
    countryCode: 'SK',
    subscription: 'active',
    requestsPerMinute: limits.credential,
    organizationRequestsPerMinute: limits.organization,
  },
  user: { id: key, name: 'Hammer', email: 'hammer@hammer.example', active: true, permissions: 'owner' },
});

async function passedOf(credential: Credential): Promise<number[]> {
  let minute = Number.NaN;
  // One for each credential, which knows nothing of those before.
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
  return passed;
}

process.on('message', async (told) => process.send?.(await passedOf(credentialOf(Told.parse(told)))));
// The test has ended, or was killed.
process.on('disconnect', () => void sql.end());
