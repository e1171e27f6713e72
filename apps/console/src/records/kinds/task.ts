import { type Task, text } from '@dealkeep/contract';
import { possibleTaskSteps } from '@dealkeep/core/records';
import { taskBegins } from '../beginnings.ts';
import { columnLabels, dueColumn } from '../list-cells.ts';
import { mine, type Presentation } from '../presentation.ts';

export const task: Presentation = {
  resource: 'task',
  path: '/tasks',
  icon: 'square-check-big',
  group: 'work',
  key: 't',
  object: text('the task', 'úlohu'),
  createLabel: text('Create task', 'Vytvoriť úlohu'),
  columns: [
    'title',
    dueColumn(columnLabels.due, 'due_date', ({ completed_at }) => completed_at === null),
    'priority',
    'assignees',
    'company',
    'project',
    'stage',
    'completed_at',
  ],
  labels: {
    title: text('What is to be done', 'Čo treba urobiť'),
    due_date: text('Due', 'Termín'),
    due_time: text('Time', 'Čas'),
    start_date: text('Starts', 'Začiatok'),
    assignees: text('Who does it', 'Kto to urobí'),
    assignee_ids: text('Who does it', 'Kto to urobí'),
    assignee_id: text('Who does it', 'Kto to urobí'),
    stage: text('Stage', 'Fáza'),
    stage_id: text('Stage', 'Fáza'),
  },
  form: [{ fields: ['title', 'due_date', 'due_time', 'assignee_ids', 'priority', 'description'] }],
  more: ['start_date', 'company_id', 'lead_id', 'project_id', 'stage_id'],
  begins: taskBegins,
  page: [
    {
      heading: text('Task', 'Úloha'),
      fields: ['title', 'due_date', 'due_time', 'priority', 'assignees', 'completed_at', 'description'],
    },
    { heading: text('Belongs to', 'Patrí k'), fields: ['company', 'lead', 'project', 'stage'] },
    {
      heading: text('About', 'O úlohe'),
      fields: ['start_date', 'created_at', 'updated_at', 'archived_at'],
    },
  ],
  leftOut: {
    page: { id: 'the address of the page holds it', app_url: 'it is this page' },
    form: { completed: 'a step of the page does it' },
  },
  teaches: text('What is to be done, by whom, until when.', 'Čo treba urobiť, kto a dokedy.'),
  automates: text(
    'An automation in Zapier, n8n or Activepieces can make one for each flagged e-mail, or remind of those overdue.',
    'Automatizácia v Zapieri, n8n alebo Activepieces ju môže vytvoriť z označeného e-mailu alebo pripomenúť tie po termíne.',
  ),
  possible: (record) => possibleTaskSteps(record as Task),
  life: { next: ['tasks.complete'] },
  views: [
    mine('archived=false&assignee_id=me&completed=false&sort=due_date'),
    {
      name: text('Overdue', 'Po termíne'),
      query: 'archived=false&completed=false&due_before=today&sort=due_date',
    },
    {
      name: text('Next 7 days', 'Najbližších 7 dní'),
      query: 'archived=false&completed=false&due_after=yesterday&due_before=in-7-days&sort=due_date',
    },
  ],
};
