import type * as z from 'zod';
import { descriptionOf } from './field.ts';
import { type RecordName, type Records, recordKindNames, records } from './records.ts';
import type { Reference } from './reference.ts';

/** What fields choose from besides records. */
const others = {
  user: { list: 'users.list', apart: ['email'], known: ['email'] },
  pipeline: { list: 'pipelines.list' },
  stage: { list: 'pipelines.list', items: 'stages', parent: 'pipeline_id' },
  'lead-origin': { list: 'lead-origins.list' },
  'lost-reason': { list: 'lost-reasons.list' },
  tag: { list: 'tags.list' },
  'custom-field': { list: 'custom-fields.list' },
  'activity-type': { list: 'activity-types.list' },
  project: { list: 'projects.list' },
  'project-stage': { list: 'projects.list', items: 'stages', parent: 'project_id' },
  'booking-service': { list: 'booking-services.list' },
  'booking-staff': { list: 'booking-staff.list', apart: ['email'], known: ['email'] },
  'product-category': { list: 'product-categories.list' },
  webhook: { list: 'webhooks.list', get: 'webhooks.get', names: ['name', 'target_url'] },
} as const satisfies Record<string, Reference>;

/** The references to records that a role can keep from people; what the others name can be chosen by anyone. */
export type RecordReference = {
  [Name in RecordName]: Records[Name] extends { readonly reference: Reference } ? Name : never;
}[RecordName];

type RecordReferences = { readonly [Name in RecordReference]: Records[Name]['reference'] };

export const isRecordReference = (name: string): name is RecordReference =>
  recordKindNames.some((each) => each === name && 'reference' in records[each]);

export const recordReferences: readonly RecordReference[] = recordKindNames.filter(isRecordReference);

/** What fields can choose from, by the name that they call it. */
export const references: RecordReferences & typeof others = {
  // Each is there by its name, which its type says.
  ...(Object.fromEntries(
    recordReferences.map((name) => [name, records[name].reference]),
  ) as RecordReferences),
  ...others,
};

export type ReferenceName = keyof typeof references;

export const isReferenceName = (name: string): name is ReferenceName => Object.hasOwn(references, name);

/** What an id names by its description; undefined where it names nothing. */
export const referenceOfField = (schema: z.core.$ZodType): ReferenceName | undefined =>
  knownReference(descriptionOf(schema)?.reference);

/** The reference of a name; undefined for none. Raises an error for one that there is not. */
export function knownReference(name: string | undefined): ReferenceName | undefined {
  if (name === undefined || isReferenceName(name)) return name;
  throw new Error(`A field is chosen from ${name}, which there is not`);
}
