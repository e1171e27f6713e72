import { randomUUID } from 'node:crypto';
import {
  type EveryOperationId,
  everyOperation,
  everyOperationId,
  type OperationDeclaration,
} from '@dealkeep/contract';
import type { Session } from '@dealkeep/core/accounts';
import { Problem } from '@dealkeep/core/foundations';
import { runAsUser } from '@dealkeep/core/operations';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const ofOwners = everyOperationId
  .map((id): OperationDeclaration & { id: EveryOperationId } => ({ ...everyOperation[id], id }))
  .filter(({ ownersOnly }) => ownersOnly);

const session = (
  permissions: Session['user']['permissions'],
  subscription: Session['organization']['subscription'] = 'active',
): Session => ({
  accountId: organization.ownerId,
  user: { id: organization.ownerId, name: 'Jana', email: organization.ownerEmail, active: true, permissions },
  organization: {
    id: organization.id,
    name: 'Test organization',
    slug: organization.slug,
    currency: 'EUR',
    timeZone: 'Europe/Bratislava',
    countryCode: 'SK',
    subscription,
  },
  assistants: { access: 'all', toolSets: null },
  organizations: [],
  language: null,
  csrfToken: '',
  newToken: undefined,
});

/** The code that an operation on a record that there is not is refused with, without whatever it needs. */
async function refusalOf(as: Session, { id, path }: OperationDeclaration & { id: EveryOperationId }) {
  const named = { id: randomUUID(), delivery_id: 'evt_unknown' };
  const request = {
    path: Object.fromEntries(Object.entries(named).filter(([name]) => path.includes(`{${name}}`))),
  };
  const asked = runAsUser(dealkeep.core, as, id, request).then(
    () => undefined,
    (error: unknown) => error,
  );
  const refused = await asked;
  if (refused !== undefined && !(refused instanceof Problem)) throw refused;
  return refused?.code;
}

test('there are operations of owners', () => {
  expect(ofOwners.map(({ id }) => id)).toContain('api-keys.create');
});

test.each(ofOwners)('$id is refused to everybody whom a role permits everything else', async (operation) => {
  const permissions = { 'leads.edit': 'all', 'users.edit': 'all' } as const;
  expect(await refusalOf(session(permissions), operation)).toBe('FORBIDDEN');
  expect(['FORBIDDEN', 'PAYMENT_REQUIRED']).not.toContain(await refusalOf(session('owner'), operation));
});

test.each(ofOwners)('$id needs a subscription unless it says that it does not', async (operation) => {
  const code = await refusalOf(session('owner', 'lapsed'), operation);
  if (operation.withoutSubscription) expect(code).not.toBe('PAYMENT_REQUIRED');
  else expect(code).toBe('PAYMENT_REQUIRED');
});

test('an owner’s operation without a subscription is one that stops or ends something, or the organization’s own', () => {
  const free = ofOwners.filter(({ withoutSubscription }) => withoutSubscription).map(({ id }) => id);
  expect(free).toEqual(
    expect.arrayContaining([
      'webhooks.remove',
      'manual-webhooks.disable',
      'api-keys.revoke',
      'organizations.update',
    ]),
  );
  expect(free).not.toContain('manual-webhooks.enable');
});
