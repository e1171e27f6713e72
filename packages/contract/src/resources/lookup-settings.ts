import * as z from 'zod';
import { descriptionOf } from '../field.ts';
import { ownerOperation } from '../operation.ts';
import * as field from '../scalars.ts';
import { exampleRef, idOf } from '../shapes.ts';
import { text } from '../text.ts';
import {
  EditActivityType,
  EditBookingService,
  EditBookingStaff,
  EditCustomField,
  EditCustomFieldGroup,
  EditLeadOrigin,
  EditLostReason,
  EditPipeline,
  EditProject,
  EditProjectStage,
  EditStage,
  EditTag,
  LeadTargets,
  TaskTarget,
} from './editable-lookups.ts';

interface LookupSettings {
  /** Begins the ids of its operations: `tags.add`. */
  readonly plural: string;
  /** Key of `resources`: what the API shows its entries in. */
  readonly resource: string;
  /** An entry as people edit it. */
  readonly schema: z.ZodObject;
  /** Where the records go that stand in an entry which is removed. */
  readonly where?: z.ZodObject;
  /** The events of records that go. */
  readonly tells?: readonly string[];
  /** What its entries stand in, in an order of their own. */
  readonly inside?: string;
}

/** Entries that are archived where records have them, and can be brought back. */
const archived = {
  'lead-origin': { plural: 'lead-origins', resource: 'lead-origin', schema: EditLeadOrigin },
  'lost-reason': { plural: 'lost-reasons', resource: 'lost-reason', schema: EditLostReason },
  'activity-type': { plural: 'activity-types', resource: 'activity-type', schema: EditActivityType },
  project: { plural: 'projects', resource: 'project', schema: EditProject },
  'booking-service': { plural: 'booking-services', resource: 'booking-service', schema: EditBookingService },
  'booking-staff': { plural: 'booking-staff', resource: 'booking-staff', schema: EditBookingStaff },
} as const satisfies Record<string, LookupSettings>;

/** Entries that are removed, whatever has them. */
const removed = {
  pipeline: {
    plural: 'pipelines',
    resource: 'pipeline',
    schema: EditPipeline,
    where: LeadTargets,
    tells: ['lead.stage_changed'],
  },
  tag: { plural: 'tags', resource: 'tag', schema: EditTag },
  'custom-field': { plural: 'custom-fields', resource: 'custom-field', schema: EditCustomField },
  'custom-field-group': {
    plural: 'custom-field-groups',
    resource: 'custom-field',
    schema: EditCustomFieldGroup,
  },
} as const satisfies Record<string, LookupSettings>;

/** Entries that stand in one of another list. */
const ordered = {
  stage: {
    plural: 'stages',
    resource: 'pipeline',
    schema: EditStage,
    where: LeadTargets,
    tells: ['lead.stage_changed'],
    inside: 'pipelines',
  },
  'project-stage': {
    plural: 'project-stages',
    resource: 'project',
    schema: EditProjectStage,
    where: TaskTarget,
    tells: ['task.moved'],
    inside: 'projects',
  },
} as const satisfies Record<string, LookupSettings & { readonly inside: string }>;

/** Every list to choose from that owners edit. */
export const lookupSettings = { ...archived, ...removed, ...ordered } as const;

export type LookupName = keyof typeof lookupSettings;

const namesIn = <Name extends string>(of: Readonly<Record<Name, LookupSettings>>): readonly Name[] =>
  Object.keys(of).filter((name): name is Name => name in of);

export const lookupNames = namesIn(lookupSettings);
export const archivedLookupNames = namesIn(archived);
export const orderedLookupNames = namesIn(ordered);

type PluralOf<Settings extends Record<string, LookupSettings>> = Settings[keyof Settings]['plural'];

const labelOf = ({ schema, plural }: LookupSettings) => descriptionOf(schema)?.label ?? text(plural, plural);

const made = z.object({ id: idOf(exampleRef.tag) });

const adds = (lookup: LookupSettings) =>
  ownerOperation({ ...addition(lookup), path: `/settings/lists/${lookup.plural}` });

const addsInside = (lookup: LookupSettings & { readonly inside: string }) =>
  ownerOperation({
    ...addition(lookup),
    path: `/settings/lists/${lookup.inside}/{id}/${lookup.plural}`,
  });

const addition = (lookup: LookupSettings) => {
  const { en, sk } = labelOf(lookup);
  return {
    id: `${lookup.plural}.add`,
    resource: lookup.resource,
    kind: 'create',
    method: 'POST',
    body: lookup.schema,
    answer: made,
    shape: 'bare',
    errors: [],
    title: text(`Add: ${en}`, `Pridať: ${sk}`),
    about: text(
      'Adds an entry to a list to choose from; its name is free among them.',
      'Pridá položku do zoznamu na výber; jej názov v ňom ešte nie je.',
    ),
  } as const;
};

const edits = (lookup: LookupSettings) => {
  const { en, sk } = labelOf(lookup);
  return ownerOperation({
    id: `${lookup.plural}.edit`,
    resource: lookup.resource,
    kind: 'update',
    method: 'POST',
    path: `/settings/lists/${lookup.plural}/{id}`,
    body: lookup.schema.partial(),
    shape: 'nothing',
    errors: ['CONFLICT'],
    title: text(`Edit: ${en}`, `Upraviť: ${sk}`),
    about: text(
      'Changes an entry of a list to choose from; what is left out stays.',
      'Zmení položku zoznamu na výber; čo sa neuvedie, zostáva.',
    ),
  });
};

const removes = (lookup: LookupSettings) => {
  const { en, sk } = labelOf(lookup);
  return ownerOperation({
    id: `${lookup.plural}.remove`,
    resource: lookup.resource,
    kind: 'delete',
    method: 'POST',
    path: `/settings/lists/${lookup.plural}/{id}/remove`,
    body: lookup.where ?? z.strictObject({}),
    answer: z.enum(['removed', 'archived']),
    shape: 'bare',
    errors: ['CONFLICT'],
    destructive: true,
    title: text(`Remove: ${en}`, `Odstrániť: ${sk}`),
    about: text(
      'Removes an entry from a list to choose from, or archives it where records keep it.',
      'Odstráni položku zo zoznamu na výber, alebo ju archivuje, ak záznamom zostáva.',
    ),
    emits: lookup.tells ?? [],
  });
};
const restores = (lookup: LookupSettings) => {
  const { en, sk } = labelOf(lookup);
  return ownerOperation({
    id: `${lookup.plural}.restore`,
    resource: lookup.resource,
    kind: 'action',
    method: 'POST',
    path: `/settings/lists/${lookup.plural}/{id}/restore`,
    shape: 'nothing',
    errors: ['CONFLICT'],
    title: text(`Bring back: ${en}`, `Vrátiť späť: ${sk}`),
    about: text('An archived entry can be chosen again.', 'Archivovaná položka sa dá znova vybrať.'),
  });
};

const MoveEntry = z.strictObject({
  direction: field.choice({
    label: text('Direction', 'Smer'),
    choices: { up: text('Up', 'Nahor'), down: text('Down', 'Nadol') },
    example: 'up',
  }),
});

const moves = (lookup: LookupSettings) => {
  const { en, sk } = labelOf(lookup);
  return ownerOperation({
    id: `${lookup.plural}.move`,
    resource: lookup.resource,
    kind: 'action',
    method: 'POST',
    path: `/settings/lists/${lookup.plural}/{id}/move`,
    body: MoveEntry,
    shape: 'nothing',
    errors: [],
    title: text(`Move: ${en}`, `Presunúť: ${sk}`),
    about: text(
      'Moves an entry one place up or down among those beside it; nothing at either end.',
      'Presunie položku medzi susednými o jedno miesto vyššie alebo nižšie; na kraji sa nestane nič.',
    ),
  });
};

export type LookupAddition = `${PluralOf<typeof archived> | PluralOf<typeof removed>}.add`;
export type InnerLookupAddition = `${PluralOf<typeof ordered>}.add`;
export type LookupEdit = `${PluralOf<typeof lookupSettings>}.edit`;
export type LookupRemoval = `${PluralOf<typeof lookupSettings>}.remove`;
export type LookupReturn = `${PluralOf<typeof archived>}.restore`;
export type LookupMove = `${PluralOf<typeof ordered>}.move`;

type LookupOperations = {
  readonly [Id in LookupAddition]: ReturnType<typeof adds>;
} & {
  readonly [Id in InnerLookupAddition]: ReturnType<typeof addsInside>;
} & {
  readonly [Id in LookupEdit]: ReturnType<typeof edits>;
} & {
  readonly [Id in LookupRemoval]: ReturnType<typeof removes>;
} & {
  readonly [Id in LookupReturn]: ReturnType<typeof restores>;
} & {
  readonly [Id in LookupMove]: ReturnType<typeof moves>;
};

/** What owners do with the lists: each operation once for every list that it is for. */
export const lookupOwnerOperations = Object.fromEntries(
  [
    ...[...Object.values(archived), ...Object.values(removed)].map(adds),
    ...Object.values(ordered).map(addsInside),
    ...Object.values<LookupSettings>(lookupSettings).flatMap((each) => [edits(each), removes(each)]),
    ...Object.values(archived).map(restores),
    ...Object.values(ordered).map(moves),
  ].map((declaration) => [declaration.id, declaration]),
) as LookupOperations;
