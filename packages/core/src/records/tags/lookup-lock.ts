import type { Changing } from '../../change/verb/verb.ts';
import { lockAll, lockNumber } from '../../foundations/database/in-transaction.ts';

/** Changes of an organization's lists to choose from come one after another; held until the transaction ends. */
export const lockLookups = ({ sql, organization }: Pick<Changing, 'sql' | 'organization'>): Promise<void> =>
  lockAll(sql, [lockNumber('lookups', organization)]);
