import type { Core } from '../core.ts';
import { lockAll, lockNumber } from '../database/locks.ts';
import { touchDirectory } from '../directory/directory.ts';
import { type Once, type OrganizationName, transact } from '../verb/transact.ts';
import type { Changing } from '../verb/verb.ts';

/**
 * A change of the lists of an organization: one after the other, so that what was looked at before (is the name free,
 * which one is the last) still holds; and every process knows of it as soon as it is committed.
 */
export const changeLookups = <Result>(
  core: Core,
  organization: OrganizationName,
  work: (changing: Changing) => Promise<Result>,
  once?: Once,
): Promise<Result> =>
  transact(
    core,
    organization,
    async (changing) => {
      await lockAll(changing.sql, [lockNumber('lookups', organization.id)]);
      const result = await work(changing);
      await touchDirectory(changing.sql, organization.id);
      return result;
    },
    once,
  );
