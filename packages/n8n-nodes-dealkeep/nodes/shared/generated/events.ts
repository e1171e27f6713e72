// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

import type { EntityFilters, EventTable } from '../tables.ts';

/** The event catalog. */
export const events: Readonly<Record<string, EventTable>> = {
  'lead.created': { entity: 'lead', updated: false },
  'lead.updated': { entity: 'lead', updated: true },
  'lead.archived': { entity: 'lead', updated: false },
  'lead.stage_changed': { entity: 'lead', updated: false },
  'lead.won': { entity: 'lead', updated: false },
  'lead.lost': { entity: 'lead', updated: false },
  'company.created': { entity: 'company', updated: false },
  'company.updated': { entity: 'company', updated: true },
  'contact.created': { entity: 'contact', updated: false },
  'contact.updated': { entity: 'contact', updated: true },
};

/** Which parameters of the trigger filter the records of a resource. */
export const entityFilters: Readonly<Record<string, EntityFilters>> = {
  lead: {
    filters: 'leadFilters',
    ids: { pipelineId: 'pipeline.id', stageId: 'stage.id' },
    watch: 'leadFieldsToWatch',
  },
  company: { ids: {}, watch: 'companyFieldsToWatch' },
  contact: { ids: {}, watch: 'contactFieldsToWatch' },
};
