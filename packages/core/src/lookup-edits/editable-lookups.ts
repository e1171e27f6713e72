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
  type ResourceName,
} from '@dealkeep/contract';
import type * as z from 'zod';

/** A column of other records that names the entries of a list. */
export interface LookupUse {
  readonly resource: ResourceName;
  readonly table: string;
  readonly column: string;
  /** One id, an array of ids, or an object whose keys are ids. */
  readonly holds: 'id' | 'ids' | 'keys';
}

/** A list to choose from as it is edited. */
export interface EditableLookup {
  readonly table: string;
  /** An entry as people edit it; its fields are the table's columns. */
  readonly schema: z.ZodObject;
  readonly uses: readonly LookupUse[];
  /**
   * What happens when an entry is removed that records have: it is archived and they keep it, it is taken out of them,
   * or they go elsewhere, which the rules see to.
   */
  readonly removal: 'archive' | 'take_out' | 'rules';
  /** The column of what its entries stand in, in an order of their own. */
  readonly parent?: { readonly column: string; readonly lookup: 'pipeline' | 'project' };
}

const use = (
  resource: ResourceName,
  table: string,
  column: string,
  holds: LookupUse['holds'] = 'id',
): LookupUse => ({ resource, table, column, holds });

/** Every list that owners edit. */
export const editableLookups = {
  pipeline: {
    table: 'pipelines',
    schema: EditPipeline,
    uses: [use('lead', 'leads', 'pipeline_id')],
    removal: 'rules',
  },
  stage: {
    table: 'stages',
    schema: EditStage,
    uses: [use('lead', 'leads', 'stage_id')],
    removal: 'rules',
    parent: { column: 'pipeline_id', lookup: 'pipeline' },
  },
  'lead-origin': {
    table: 'lead_origins',
    schema: EditLeadOrigin,
    uses: [use('lead', 'leads', 'origin_id')],
    removal: 'archive',
  },
  'lost-reason': {
    table: 'lost_reasons',
    schema: EditLostReason,
    uses: [use('lead', 'leads', 'lost_reason_id')],
    removal: 'archive',
  },
  'activity-type': {
    table: 'activity_types',
    schema: EditActivityType,
    uses: [use('activity', 'activities', 'type_id')],
    removal: 'archive',
  },
  tag: {
    table: 'tags',
    schema: EditTag,
    uses: [use('company', 'companies', 'tag_ids', 'ids'), use('lead', 'leads', 'tag_ids', 'ids')],
    removal: 'take_out',
  },
  'custom-field': {
    table: 'custom_fields',
    schema: EditCustomField,
    uses: [use('company', 'companies', 'custom_fields', 'keys')],
    removal: 'take_out',
  },
  'custom-field-group': {
    table: 'custom_field_groups',
    schema: EditCustomFieldGroup,
    uses: [use('custom-field', 'custom_fields', 'group_id')],
    removal: 'take_out',
  },
  project: {
    table: 'projects',
    schema: EditProject,
    uses: [use('task', 'tasks', 'project_id')],
    removal: 'archive',
  },
  'project-stage': {
    table: 'project_stages',
    schema: EditProjectStage,
    uses: [use('task', 'tasks', 'stage_id')],
    removal: 'rules',
    parent: { column: 'project_id', lookup: 'project' },
  },
  'booking-service': {
    table: 'booking_services',
    schema: EditBookingService,
    uses: [use('booking', 'bookings', 'service_id')],
    removal: 'archive',
  },
  'booking-staff': {
    table: 'booking_staff',
    schema: EditBookingStaff,
    uses: [use('booking', 'bookings', 'staff_id')],
    removal: 'archive',
  },
} as const satisfies Record<string, EditableLookup>;

export type EditableLookupName = keyof typeof editableLookups;

export const editableLookup = (name: EditableLookupName): EditableLookup => editableLookups[name];
