import {
  archivedLookupNames,
  everyOperation,
  everyOperationId,
  type OperationDeclaration,
  orderedLookupNames,
} from '@dealkeep/contract';
import type { Session } from '@dealkeep/core/accounts';
import { run, runAsUser } from '@dealkeep/core/operations';
import { editableLookups } from '@dealkeep/core/records';
import { sharedDealkeep, type TestOrganization } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { isVerbId, verbs } from '../../src/operations/verbs.ts';

const { core, sql, createOrganization } = await sharedDealkeep();

const sessionIn = (
  { id, slug, ownerId, ownerEmail }: TestOrganization,
  permissions: Session['user']['permissions'],
  subscription: 'active' | 'lapsed' = 'active',
): Session => ({
  accountId: ownerId,
  user: { id: ownerId, name: 'Jana', email: ownerEmail, active: true, permissions },
  organization: {
    id,
    slug,
    name: 'Test',
    subscription,
    currency: 'EUR',
    timeZone: 'Europe/Bratislava',
    countryCode: 'SK',
  },
  assistants: { access: 'all', toolSets: null },
  organizations: [],
  language: null,
  csrfToken: '',
  newToken: undefined,
});
const everything = { 'leads.view': 'all', 'users.edit': 'all', 'companies.edit': 'all' } as const;

test('every operation has the verb of its id', () => {
  const single = everyOperationId.filter(isVerbId);
  expect(single.map((id) => verbs[id].id)).toEqual(single);
  // A batch has the verbs of its items.
  const others = everyOperationId
    .filter((id) => !isVerbId(id))
    .map((id): OperationDeclaration => everyOperation[id]);
  for (const { batches = {} } of others) {
    expect(Object.keys(batches).length).toBeGreaterThan(0);
    expect(Object.values(batches).filter((id) => !isVerbId(id))).toEqual([]);
  }
});

test('what is archived and what is ordered is the same in the contract and where it is kept', () => {
  const lookups = Object.entries(editableLookups);
  const archived = lookups.filter(([, { removal }]) => removal === 'archive').map(([name]) => name);
  const ordered = lookups.filter(([, lookup]) => 'parent' in lookup).map(([name]) => name);
  expect(archived.toSorted()).toEqual(archivedLookupNames.toSorted());
  expect(ordered.toSorted()).toEqual(orderedLookupNames.toSorted());
});

test('the clock runs only what is for it', async () => {
  const kind = 'system';
  const organization = await createOrganization();
  const foreign = everyOperationId.filter((id) => {
    const { audience }: OperationDeclaration = everyOperation[id];
    return !audience.includes(kind);
  });
  for (const id of foreign) {
    const asked = run(core, { kind, organization }, id, {});
    await expect(asked).rejects.toThrow(`The operation ${id} is not for the ${kind}`);
  }
});

describe('what only owners do', () => {
  test('no role permits', async () => {
    const organization = await createOrganization();
    const asked = runAsUser(core, sessionIn(organization, everything), 'tags.add', { body: { name: 'VIP' } });
    await expect(asked).rejects.toMatchObject({ key: 'role.owners_only', code: 'FORBIDDEN' });
    expect(await sql`select from tags where organization_id = ${organization.id}`).toEqual([]);
  });

  test('needs a subscription, unless it says who may do what', async () => {
    const session = sessionIn(await createOrganization(), 'owner', 'lapsed');
    const tag = runAsUser(core, session, 'tags.add', { body: { name: 'VIP' } });
    await expect(tag).rejects.toMatchObject({ code: 'PAYMENT_REQUIRED' });
    const role = { name: 'Sales', permissions: { 'leads.view': 'all' } };
    const { id } = await runAsUser(core, session, 'roles.add', { body: role });
    await runAsUser(core, session, 'roles.remove', { path: { id } });
  });

  test('is refused with everything that is wrong with it at once', async () => {
    const session = sessionIn(await createOrganization(), 'owner');
    await runAsUser(core, session, 'booking-services.add', {
      body: { name: 'Fitting', duration_minutes: 30, currency: 'EUR' },
    });
    const body = { name: 'fitting', duration_minutes: 0, currency: 'EUR' };
    const asked = runAsUser(core, session, 'booking-services.add', { body });
    await expect(asked).rejects.toMatchObject({
      fields: [{ path: 'duration_minutes' }, { path: 'name', key: 'field.name_taken' }],
    });
  });
});
