import { column, field } from '../../change/record-tables/erased.ts';
import type { RecordKind } from '../../change/record-tables/record-kind.ts';
import { activities, countActivities, getActivity, listActivities } from './record.ts';
import { cancelActivity, completeActivity, createActivity, updateActivity } from './write.ts';

export const activity = {
  table: activities,
  verbs: {
    'activities.list': listActivities,
    'activities.count': countActivities,
    'activities.create': createActivity,
    'activities.get': getActivity,
    'activities.update': updateActivity,
    'activities.complete': completeActivity,
    'activities.cancel': cancelActivity,
  },
  erased: {
    with: [
      { kind: 'company', column: 'company_id' },
      { kind: 'contact', column: 'contact_id' },
      { kind: 'lead', column: 'lead_id' },
    ],
    columns: {
      name: column.text,
      location: column.nothing,
      note: column.nothing,
      video_call_url: column.nothing,
      contact_id: column.linkToErased,
    },
    fields: {
      name: field.text,
      location: field.nothing,
      note: field.nothing,
      video_call_url: field.nothing,
      contact: field.link,
    },
  },
} as const satisfies RecordKind;
