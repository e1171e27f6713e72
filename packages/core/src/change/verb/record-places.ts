import { type RecordReference, type ReferenceName, recordReferences, records } from '@dealkeep/contract';
import type { ReferenceData } from '../../identity/reference-data/reference-data.ts';
import type { Changing } from './verb.ts';

/** Where the records of each kind are found by id: in the reference data that every process holds, or in a table. */
export const places: Readonly<Record<ReferenceName, Place>> = {
  // The table of a kind of record is called as its collection.
  ...(Object.fromEntries(
    recordReferences.map((name) => [name, { table: records[name].collection }]),
  ) as Record<RecordReference, Place>),
  'product-category': { table: 'products', column: 'category_id' },
  webhook: { table: 'webhooks' },
  user: { referenceData: 'users' },
  pipeline: { referenceData: 'pipelines' },
  stage: { referenceData: 'stages' },
  'lead-origin': { referenceData: 'origins' },
  'lost-reason': { referenceData: 'lostReasons' },
  tag: { referenceData: 'tags' },
  'custom-field': { referenceData: 'customFields' },
  'activity-type': { referenceData: 'activityTypes' },
  project: { referenceData: 'projects' },
  'project-stage': { referenceData: 'projectStages' },
  'booking-service': { referenceData: 'bookingServices' },
  'booking-staff': { referenceData: 'bookingStaff' },
};

type Place = { referenceData: ReferenceDataMap } | { table: string; column?: string };
type ReferenceDataMap = {
  [Name in keyof ReferenceData]: ReferenceData[Name] extends ReadonlyMap<string, unknown> ? Name : never;
}[keyof ReferenceData];

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
