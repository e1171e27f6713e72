/** What events can be filtered by, called as the filters of lists are; which event has which, the catalog says. */
export const eventFilters = [
  'pipeline_id',
  'stage_id',
  'owner_id',
  'origin_id',
  'project_id',
  'assignee_id',
  'service_id',
  'staff_id',
  'type_id',
  'status',
  'payment_status',
  'tag',
] as const;

export type EventFilter = (typeof eventFilters)[number];
