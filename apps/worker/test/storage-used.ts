import { updateOrganization } from '@dealkeep/core/accounts';
import { measureStorage } from '@dealkeep/core/identity';
import { Browser, growOlder, type TestDealkeep, type TestOrganization } from '@dealkeep/testing';

/** What a process remembers of an organization is so old at most, in milliseconds. */
export const reliedOn = 1001;

/** What tests of the storage quota do, with a Dealkeep of their own. */
export function storageUsed(dealkeep: TestDealkeep) {
  const { core, sql } = dealkeep;

  /** Measures, and lets what is remembered be read anew. */
  const measure = async (): Promise<void> => {
    await measureStorage(core);
    growOlder(reliedOn);
  };

  /** Events that take so much. */
  const fill = ({ id }: TestOrganization, kilobytes: number) => sql`
  insert into events (organization_id, id, type, record_id, occurred_at, envelope)
  select ${id}, 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'lead.created', gen_random_uuid(), now(),
         json_build_object('type', 'lead.created', 'data', json_build_object('name', 'Lead', 'note', repeat('x', 900)))::text
  from generate_series(1, ${kilobytes})`;

  /** What was measured of an organization last. */
  const standing = async ({ id }: TestOrganization) => {
    const [row] = await sql<{ bytes: number; state: string | null }[]>`
    select storage_bytes as bytes, storage_state as state from organizations where id = ${id}`;
    return row;
  };

  /** An organization with a quota of a megabyte, which has used so much of it. */
  async function organizationWith(kilobytes: number) {
    const organization = await dealkeep.createOrganization();
    await updateOrganization(sql, organization.slug, { maxStorageMb: 1 });
    await fill(organization, kilobytes);
    await measure();
    const api = dealkeep.as(organization.key);
    return { organization, api };
  }

  const shownStorage = async (organization: TestOrganization, path: string): Promise<string> => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    return (await browser.get(path)).html;
  };

  return { measure, fill, standing, organizationWith, shownStorage };
}
