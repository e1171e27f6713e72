import { column, field } from '../../change/record-tables/erased.ts';
import type { RecordKind } from '../../change/record-tables/record-kind.ts';
import { createLead } from './create.ts';
import { overviewOfLeads } from './overview.ts';
import { countLeads, getLead, listLeads, sumLeads, totalLeads } from './read.ts';
import { leads } from './record.ts';
import { archiveLead, moveLead } from './stages.ts';
import { editLeadTags, updateLead } from './update.ts';

export const lead = {
  table: leads,
  verbs: {
    'leads.list': listLeads,
    'leads.count': countLeads,
    'leads.sum': sumLeads,
    'leads.create': createLead,
    'leads.get': getLead,
    'leads.update': updateLead,
    'leads.move': moveLead,
    'leads.archive': archiveLead,
    'leads.tags': editLeadTags,
    'leads.overview': overviewOfLeads,
    'leads.totals': totalLeads,
  },
  erased: {
    closes: true,
    with: [
      { kind: 'company', column: 'company_id' },
      { kind: 'contact', column: 'contact_id' },
    ],
    columns: {
      name: column.textWhereNamed,
      note: column.nothing,
      lost_note: column.nothing,
      tag_ids: column.none,
      contact_id: column.linkToErased,
    },
    fields: {
      name: field.text,
      note: field.nothing,
      lost_note: field.nothing,
      tags: field.emptyList,
      contact: field.link,
    },
  },
} as const satisfies RecordKind;
