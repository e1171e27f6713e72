import { randomBytes } from 'node:crypto';
import { createApiKey, createOrganization, createUser, listOrganizations } from '@dealkeep/core/accounts';
import type { Clock, Database, Environment } from '@dealkeep/core/foundations';
import { demoOrganization, seedDemo } from '@dealkeep/core/installation';

/** How the operator gets in: by the console, and by the API. */
export interface DemoAccess {
  email: string;
  password: string;
  token: string;
}

const owner = { name: 'Jana Horváthová', email: 'jana@demo.example' };
const colleagues = [
  { name: 'Martin Kováč', email: 'martin@demo.example' },
  { name: 'Zuzana Bieliková', email: 'zuzana@demo.example' },
];

/** What its invoices print of it: no such business exists. */
const supplier = {
  street: 'Štúrova 12',
  city: 'Košice',
  postal_code: '040 01',
  registration_id: '00000000',
  tax_id: '0000000000',
  bank_account: 'SK00 0000 0000 0000 0000 0000',
};

/**
 * On the very first start, an organization to try everything with. Undefined when there already is one. All or
 * nothing, and of two first starts at once one, so that nothing secret is made that nobody gets to see.
 *
 * @param keep what is to be done with the access before the organization is there
 */
export function createDemoOrganization(
  options: {
    sql: Database;
    clock: Clock;
    environment: Environment;
  },
  keep: (access: DemoAccess) => Promise<void>,
): Promise<DemoAccess | undefined> {
  return options.sql.begin(async (sql) => {
    await sql`lock table organizations in exclusive mode`;
    if ((await listOrganizations(sql)).length > 0) return undefined;
    const within = { ...options, sql };
    await createOrganization(within, { name: 'Tatra Studio (demo)', slug: demoOrganization, supplier });
    const password = randomBytes(12).toString('hex');
    await createUser(within, { organization: demoOrganization, role: 'owner', ...owner, password });
    for (const colleague of colleagues) {
      // Without a password; `dealkeep users update` sets one.
      await createUser(within, { organization: demoOrganization, role: 'owner', ...colleague });
    }
    await seedDemo(within, demoOrganization, 'small');
    const { token } = await createApiKey(within, {
      organization: demoOrganization,
      name: 'Demo key',
      grant: { preset: 'automation' },
    });
    const access = { email: owner.email, password, token };
    await keep(access);
    return access;
  });
}
