import type { RequestOrigin } from '../../identity/credentials/request-origin.ts';
import type { Services } from '../services.ts';
import { addAuditEntries } from './audit-log.ts';

/** Whoever takes them. */
interface SignedInUser {
  readonly organization: { readonly id: string };
  readonly user: { readonly id: string; readonly name: string };
  readonly from?: RequestOrigin | undefined;
}

/** Tells the audit log who takes the records of a kind out of the console, before the first of them leaves. */
export const noteExport = (
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  { organization, user, from }: SignedInUser,
  resource: string,
): Promise<void> =>
  addAuditEntries(sql, organization.id, clock.now().toISOString(), {
    operation: 'lists.export',
    resource,
    by: { kind: 'user', user, via: 'console', from },
  });
