import { randomBytes } from 'node:crypto';
import {
  type Clock,
  createApiKey,
  createOrganization,
  createUser,
  type Database,
  type Environment,
  listOrganizations,
  seedDemo,
} from '@dealkeep/core';

export interface DemoAccess {
  token: string;
}

const slug = 'demo';
const people = [
  { name: 'Jana Horváthová', email: 'jana@demo.example' },
  { name: 'Martin Kováč', email: 'martin@demo.example' },
  { name: 'Zuzana Bieliková', email: 'zuzana@demo.example' },
];

/** On the very first start, an organization to try everything with. Undefined when there already is one. */
export async function createDemoOrganization(options: {
  sql: Database;
  clock: Clock;
  environment: Environment;
}): Promise<DemoAccess | undefined> {
  if ((await listOrganizations(options.sql)).length > 0) return undefined;
  await createOrganization(options, { name: 'Tatra Studio (demo)', slug });
  for (const person of people) {
    // Nobody knows these passwords; `dealkeep users update` sets others.
    const password = randomBytes(24).toString('base64url');
    await createUser(options, { organization: slug, role: 'owner', password, ...person });
  }
  await seedDemo(options, slug, 'small');
  const { token } = await createApiKey(options, {
    organization: slug,
    name: 'Demo key',
    grant: { preset: 'automation' },
  });
  return { token };
}
