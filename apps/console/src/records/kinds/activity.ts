import { type Activity, text } from '@dealkeep/contract';
import { possibleActivitySteps } from '@dealkeep/core/records';
import { activityBegins } from '../beginnings.ts';
import { arrangedColumn, columnLabels } from '../list-cells.ts';
import type { Presentation } from '../presentation.ts';

export const activity: Presentation = {
  resource: 'activity',
  path: '/activities',
  icon: 'phone',
  group: 'work',
  key: 'a',
  object: text('the activity', 'aktivitu'),
  createLabel: text('Create activity', 'Vytvoriť aktivitu'),
  columns: [
    'name',
    arrangedColumn(columnLabels.when, 'start_at'),
    'type',
    'status',
    'assignee',
    'company',
    'lead',
  ],
  labels: {
    type: text('Kind', 'Druh'),
    type_id: text('Kind', 'Druh'),
    assignee: text('Who goes', 'Kto ide'),
    assignee_id: text('Who goes', 'Kto ide'),
    video_call_url: text('Link to the video call', 'Odkaz na videohovor'),
    note: text('Notes', 'Poznámky'),
  },
  form: [
    { fields: ['name', 'type_id', 'start_at', 'end_at', 'assignee_id'] },
    { heading: text('With whom', 'S kým'), fields: ['company_id', 'contact_id', 'lead_id'] },
  ],
  more: ['location', 'video_call_url', 'importance', 'note'],
  begins: activityBegins,
  unexplained: ['assignee_id'],
  page: [
    {
      heading: columnLabels.when,
      fields: ['name', 'type', 'status', 'start_at', 'end_at', 'location', 'video_call_url', 'completed_at'],
    },
    { heading: text('With whom', 'S kým'), fields: ['company', 'contact', 'lead'] },
    {
      heading: text('About', 'O aktivite'),
      fields: ['assignee', 'owner', 'importance', 'note', 'created_at', 'updated_at'],
    },
  ],
  leftOut: {
    page: { id: 'the address of the page holds it', app_url: 'it is this page' },
  },
  teaches: text('Meetings, calls and visits, with their time.', 'Stretnutia, telefonáty a návštevy s časom.'),
  automates: text(
    'An automation in Zapier, n8n or Activepieces can put them into your calendar, or make them of its entries.',
    'Automatizácia v Zapieri, n8n alebo Activepieces ich môže zapísať do kalendára alebo z neho vytvoriť.',
  ),
  possible: (record) => possibleActivitySteps(record as Activity),
  life: { next: ['activities.complete'] },
  views: [
    {
      name: text('Today', 'Dnes'),
      query: 'sort=start_at&start_after=yesterday&start_before=tomorrow',
    },
    {
      name: text('Mine, open', 'Moje otvorené'),
      query: 'assignee_id=me&sort=start_at&status=open',
    },
  ],
};
