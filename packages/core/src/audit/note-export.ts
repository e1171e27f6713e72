import type { Core } from '../core.ts';
import type { Session } from '../sessions/sessions.ts';
import { noteDeeds } from './audit-book.ts';

/** Tells the audit log who takes the records of a kind out of the console, before the first of them leaves. */
export const noteExport = (
  { sql, clock }: Pick<Core, 'sql' | 'clock'>,
  { organization, user, from }: Pick<Session, 'organization' | 'user' | 'from'>,
  resource: string,
): Promise<void> =>
  noteDeeds(sql, organization.id, clock.now().toISOString(), {
    operation: 'lists.export',
    resource,
    by: { kind: 'user', user, via: 'console', from },
  });
