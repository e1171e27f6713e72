import { randomBytes } from 'node:crypto';
import { createApiKey, createOrganization, createUser, updateOrganization } from '@dealkeep/core/accounts';
import { connect, type Database, noLimits, systemClock } from '@dealkeep/core/foundations';

export interface BenchTarget {
  databaseUrl: string;
  secretsKey: string;
}

export interface BenchOrganization {
  id: string;
  slug: string;
  keyId: string;
  token: string;
}

/** An organization that nothing limits, with one key. */
export async function makeOrganization(sql: Database): Promise<BenchOrganization> {
  const slug = `bench-${randomBytes(4).toString('hex')}`;
  const options = { sql, clock: systemClock, environment: 'live' as const };
  const { id } = await createOrganization(options, { name: 'Bench', slug });
  await updateOrganization(sql, slug, {
    requestsPerMinute: 1_000_000,
    orgRequestsPerMinute: 1_000_000,
    maxWebhooks: 10_000,
  });
  await createUser(options, {
    organization: slug,
    name: 'Jana Horváthová',
    email: `jana@${slug}.example`,
    password: 'correct horse battery',
    role: 'owner',
  });
  const key = await createApiKey(options, {
    organization: slug,
    name: 'Bench',
    grant: { preset: 'automation' },
  });
  return { id, slug, keyId: key.id, token: key.token };
}

export const connectBench = ({ databaseUrl }: BenchTarget): Database =>
  connect(databaseUrl, { connections: 2, name: 'bench', limits: noLimits });
