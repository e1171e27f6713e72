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

/**
 * On the very first start, an organization to try everything with. Undefined when there already is one. All or
 * nothing, and of two first starts at once one, so that no key is made that nobody gets to see.
 */
export function createDemoOrganization(options: {
  sql: Database;
  clock: Clock;
  environment: Environment;
}): Promise<DemoAccess | undefined> {
  return options.sql.begin(async (sql) => {
    await sql`lock table organizations in exclusive mode`;
    if ((await listOrganizations(sql)).length > 0) return undefined;
    const within = { ...options, sql };
    await createOrganization(within, { name: 'Tatra Studio (demo)', slug });
    for (const person of people) {
      // Without a password; `dealkeep users update` sets one.
      await createUser(within, { organization: slug, role: 'owner', ...person });
    }
    await seedDemo(within, slug, 'small');
    const { token } = await createApiKey(within, {
      organization: slug,
      name: 'Demo key',
      grant: { preset: 'automation' },
    });
    return { token };
  });
}
