import { type RecordReference, type ReferenceName, recordReferences, records } from '@dealkeep/contract';
import type { Directory } from '../../identity/directory/directory.ts';
import type { Changing } from './verb.ts';

/** Where the records of each kind are found by id: in the directory that every process holds, or in a table. */
export const places: Readonly<Record<ReferenceName, Place>> = {
  // The table of a kind of record is called as its collection.
  ...(Object.fromEntries(
    recordReferences.map((name) => [name, { table: records[name].collection }]),
  ) as Record<RecordReference, Place>),
  'product-category': { table: 'products', column: 'category_id' },
  webhook: { table: 'webhooks' },
  user: { directory: 'users' },
  pipeline: { directory: 'pipelines' },
  stage: { directory: 'stages' },
  'lead-origin': { directory: 'origins' },
  'lost-reason': { directory: 'lostReasons' },
  tag: { directory: 'tags' },
  'custom-field': { directory: 'customFields' },
  'activity-type': { directory: 'activityTypes' },
  project: { directory: 'projects' },
  'project-stage': { directory: 'projectStages' },
  'booking-service': { directory: 'bookingServices' },
  'booking-staff': { directory: 'bookingStaff' },
};

type Place = { directory: DirectoryMap } | { table: string; column?: string };
type DirectoryMap = {
  [Name in keyof Directory]: Directory[Name] extends ReadonlyMap<string, unknown> ? Name : never;
}[keyof Directory];

/** Locks a record until the transaction ends. What has no table of its own, or is not there, is left to its verb. */
export async function lockRecord(
  { sql, organization }: Pick<Changing, 'sql' | 'organization'>,
  resource: string,
  id: string,
): Promise<void> {
  const place = Object.entries(places).find(([name]) => name === resource)?.[1];
  if (!place || !('table' in place)) return;
  await sql`
    select from ${sql(place.table)} where organization_id = ${organization} and id = ${id} for no key update`;
}
