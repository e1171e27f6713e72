import type { Core } from '../../core.ts';
import { notFound } from '../../problem.ts';
import { type OrganizationName, transact } from '../../verb/transact.ts';

/** Removes a webhook of either kind, with what waits for it. Raises NOT_FOUND. */
export const removeWebhook = (
  core: Core,
  organization: OrganizationName,
  { id }: { id: string },
): Promise<void> =>
  transact(core, organization, async ({ sql }) => {
    const { count } =
      await sql`delete from webhooks where organization_id = ${organization.id} and id = ${id}`;
    if (count === 0) throw notFound();
  });
