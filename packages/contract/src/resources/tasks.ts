import { type EventDeclaration, sampleMoment, today } from '../event.ts';
import { listQuery, search } from '../list-query.ts';
import { consoleOperation, operation, systemOperation } from '../operation.ts';
import type { RecordDeclaration } from '../resource.ts';
import * as field from '../scalars.ts';
import {
  appUrlOf,
  body,
  createdAt,
  exampleRef,
  idOf,
  importance,
  record,
  ref,
  updatedAt,
} from '../shapes.ts';
import { text } from '../text.ts';

const title = field.name({ label: text('Title', 'Názov'), example: 'Send the contract', max: 255 });
const description = field.string({
  label: text('Description', 'Opis'),
  example: 'Two copies, both signed.',
  max: 5000,
  multiline: true,
});
const priority = importance(text('Priority', 'Priorita'));
const startDate = field.date({ label: text('Start Date', 'Dátum začiatku'), example: '2026-10-05' });
const dueDate = field.date({ label: text('Due Date', 'Termín'), example: '2026-10-09' });
const dueTime = field.time({
  label: text('Due Time', 'Čas termínu'),
  help: text('HH:MM, in the time zone of the organization.', 'HH:MM, v časovom pásme organizácie.'),
  example: '16:00',
});
const texts = {
  assignee: text('Assignee', 'Riešiteľ'),
  company: text('Company', 'Firma'),
  lead: text('Lead', 'Príležitosť'),
  project: text('Project', 'Projekt'),
  stage: text('Project Stage', 'Fáza projektu'),
};
const companyId = field.reference('company', { label: texts.company });
const leadId = field.reference('lead', { label: texts.lead });
const projectId = field.reference('project', { label: texts.project });
const stageId = field.reference('project-stage', { label: texts.stage, dependsOn: 'project_id' });
const moment = (en: string, sk: string) =>
  field.dateTime({ label: text(en, sk), example: '2026-10-08T14:20:00.000Z' });

export const taskLabel = text('Task', 'Úloha');

export const Task = record(
  'Task',
  { label: taskLabel },
  {
    id: idOf(exampleRef.task),
    title,
    description: description.nullable(),
    priority,
    start_date: startDate.nullable(),
    due_date: dueDate.nullable(),
    due_time: dueTime.nullable(),
    completed_at: moment('Completed At', 'Dokončená').nullable(),
    archived_at: moment('Archived At', 'Archivovaná').nullable(),
    assignees: field.list(ref(texts.assignee, exampleRef.user), { label: text('Assignees', 'Riešitelia') }),
    company: ref(texts.company, exampleRef.company).nullable(),
    lead: ref(texts.lead, exampleRef.lead).nullable(),
    project: ref(texts.project, exampleRef.project).nullable(),
    stage: ref(texts.stage, exampleRef.projectStage).nullable(),
    created_at: createdAt,
    updated_at: updatedAt,
    app_url: appUrlOf('tasks', exampleRef.task),
  },
);

const fields = {
  description: description.nullish(),
  priority: priority.optional(),
  start_date: startDate.nullish(),
  due_date: dueDate.nullish(),
  due_time: dueTime.nullish(),
  assignee_ids: field
    .list(field.reference('user', { label: texts.assignee }), {
      label: text('Assignees', 'Riešitelia'),
      max: 50,
    })
    .optional(),
  company_id: companyId.nullish(),
  lead_id: leadId.nullish(),
  project_id: projectId.nullish(),
  stage_id: stageId.nullish(),
};

export const CreateTask = body(
  'TaskCreate',
  { label: taskLabel },
  {
    title,
    ...fields,
    priority: fields.priority.nullable(),
    assignee_ids: fields.assignee_ids.nullable(),
  },
);

export const UpdateTask = body(
  'TaskUpdate',
  { label: taskLabel },
  {
    title: title.optional(),
    ...fields,
    completed: field
      .boolean({
        label: text('Completed', 'Dokončená'),
        help: text(
          'True completes the task, false reopens it.',
          'Hodnota true úlohu dokončí, false ju znova otvorí.',
        ),
        example: true,
      })
      .optional(),
  },
);

const flag = (en: string, sk: string) => field.boolean({ label: text(en, sk), example: false });
const common = { resource: 'task', answer: Task } as const;
const read = { ...common, method: 'GET', scope: 'tasks:read', statuses: [200], errors: [] } as const;
const write = { ...common, scope: 'tasks:write', shape: 'record', errors: [] } as const;

export const taskOperations = {
  'tasks.list': operation({
    ...read,
    id: 'tasks.list',
    kind: 'list',
    path: '/tasks',
    query: listQuery(
      {
        q: search(text('Part of the title.', 'Časť názvu.'), 'contract'),
        completed: flag('Completed', 'Dokončené').optional(),
        archived: flag('Archived', 'Archivované').optional(),
        assignee_id: field.reference('user', { label: texts.assignee }).optional(),
        company_id: companyId.optional(),
        lead_id: leadId.optional(),
        project_id: projectId.optional(),
        stage_id: stageId.optional(),
        priority: priority.optional(),
        due_before: field
          .date({
            label: text('Due Before', 'Termín pred'),
            help: text('Only tasks due before this day.', 'Len úlohy s termínom pred týmto dňom.'),
            example: '2026-11-01',
          })
          .optional(),
        due_after: field
          .date({
            label: text('Due After', 'Termín po'),
            help: text('Only tasks due after this day.', 'Len úlohy s termínom po tomto dni.'),
            example: '2026-10-01',
          })
          .optional(),
      },
      ['due_date', 'title'],
    ),
    shape: 'list',
    title: text('List tasks', 'Zoznam úloh'),
    about: text('Tasks of the organization, page by page.', 'Úlohy organizácie po stránkach.'),
  }),
  'tasks.create': operation({
    ...write,
    id: 'tasks.create',
    kind: 'create',
    method: 'POST',
    path: '/tasks',
    body: CreateTask,
    statuses: [201],
    emits: ['task.created'],
    title: text('Create a task', 'Vytvoriť úlohu'),
    about: text(
      'Adds a task. In a project without a stage it begins in the first one.',
      'Pridá úlohu. V projekte bez uvedenej fázy sa začína v prvej.',
    ),
    instruction: 'Add a task. In a project without a stage it begins in the first one.',
    when: 'Use it for what has to be done, when nothing that fits exists yet. A meeting or a call at a time is an activity.',
  }),
  'tasks.get': operation({
    ...read,
    id: 'tasks.get',
    kind: 'get',
    path: '/tasks/{id}',
    shape: 'record',
    title: text('Get a task', 'Zobraziť úlohu'),
    about: text('One task.', 'Jedna úloha.'),
  }),
  'tasks.update': operation({
    ...write,
    errors: ['CONFLICT'],
    id: 'tasks.update',
    kind: 'update',
    method: 'PATCH',
    path: '/tasks/{id}',
    body: UpdateTask,
    statuses: [200],
    emits: ['task.moved', 'task.completed'],
    title: text('Update a task', 'Upraviť úlohu'),
    about: text(
      'Changes the fields that are sent; a stage moves the task, completed completes or reopens it.',
      'Zmení poslané polia; fáza úlohu presunie, completed ju dokončí alebo znova otvorí.',
    ),
    instruction:
      'Change fields of a task, the others stay as they are. A project stage moves the task, and Completed completes or reopens it.',
  }),
};

const step = {
  ...common,
  kind: 'action',
  method: 'POST',
  permissions: ['tasks.edit', 'tasks.create'],
  shape: 'record',
  errors: ['CONFLICT'],
} as const;

export const taskConsoleOperations = {
  'tasks.complete': consoleOperation({
    ...step,
    id: 'tasks.complete',
    path: '/tasks/{id}/complete',
    emits: ['task.completed'],
    title: text('Complete a task', 'Dokončiť úlohu'),
    about: text('Notes that the task is done.', 'Zaznamená, že úloha je hotová.'),
    step: { label: text('Complete', 'Dokončiť'), asks: false },
  }),
  'tasks.reopen': consoleOperation({
    ...step,
    id: 'tasks.reopen',
    path: '/tasks/{id}/reopen',
    title: text('Reopen a task', 'Znova otvoriť úlohu'),
    about: text('The task is to be done again.', 'Úlohu treba znova urobiť.'),
    step: { label: text('Reopen', 'Znova otvoriť'), asks: false },
  }),
  'tasks.move': consoleOperation({
    ...step,
    id: 'tasks.move',
    path: '/tasks/{id}/move',
    body: body('TaskMove', { label: taskLabel }, { stage_id: stageId.nullish() }),
    emits: ['task.moved'],
    title: text('Move a task', 'Presunúť úlohu'),
    about: text('Places the task in a stage of its project.', 'Umiestni úlohu do fázy jej projektu.'),
    step: { label: text('Move', 'Presunúť'), asks: true },
  }),
  'tasks.archive': consoleOperation({
    ...step,
    id: 'tasks.archive',
    path: '/tasks/{id}/archive',
    permissions: ['tasks.edit'],
    title: text('Archive a task', 'Archivovať úlohu'),
    about: text(
      'Puts the task away. It can be read, but no longer changed.',
      'Odloží úlohu. Možno ju čítať, no už nie meniť.',
    ),
    destructive: true,
    step: { label: text('Archive', 'Archivovať'), asks: true },
  }),
};

export const taskSystemOperations = {
  'tasks.tell-overdue': systemOperation({
    id: 'tasks.tell-overdue',
    resource: 'task',
    emits: ['task.overdue'],
    title: text('Tell of overdue tasks', 'Oznámiť úlohy po termíne'),
    about: text(
      'Tells of open tasks whose due moment has passed, once for each due moment.',
      'Oznámi otvorené úlohy, ktorých termín uplynul, raz pre každý termín.',
    ),
  }),
};

const told = {
  entity: 'task',
  scope: 'tasks:read',
  filters: { project_id: 'project.id', stage_id: 'stage.id', assignee_id: 'assignees[].id' },
} as const;

const events = {
  'task.created': {
    ...told,
    category: 'created',
    label: text('Task created', 'Úloha vytvorená'),
    description: text('A task was created.', 'Bola vytvorená úloha.'),
  },
  'task.moved': {
    ...told,
    category: 'moved',
    label: text('Task moved', 'Úloha presunutá'),
    description: text(
      'A task was moved to another stage of its project.',
      'Úloha bola presunutá do inej fázy projektu.',
    ),
    sampleBefore: { project: null, stage: null },
  },
  'task.completed': {
    ...told,
    category: 'status',
    leaves: { completed: true },
    label: text('Task completed', 'Úloha dokončená'),
    description: text('A task was completed.', 'Úloha bola dokončená.'),
    sample: { completed_at: sampleMoment },
  },
  'task.overdue': {
    ...told,
    category: 'overdue',
    leaves: { completed: false, due_before: today },
    label: text('Task overdue', 'Úloha po termíne'),
    description: text('The due moment of an open task has passed.', 'Uplynul termín otvorenej úlohy.'),
    sample: { start_date: '2026-09-28', due_date: '2026-10-01', due_time: '15:00' },
  },
} as const satisfies Record<string, EventDeclaration>;

export const task = {
  label: taskLabel,
  plural: text('Tasks', 'Úlohy'),
  schema: Task,
  kind: 'record',
  brief: [
    'id',
    'title',
    'priority',
    'due_date',
    'completed_at',
    'assignees',
    'company',
    'project',
    'stage',
    'app_url',
  ],
  collection: 'tasks',
  example: exampleRef.task,
  reference: {
    list: 'tasks.list',
    get: 'tasks.get',
    names: ['title'],
    apart: ['company.name'],
    inUse: { archived: false },
  },
  scope: 'tasks:read',
  permission: 'tasks.view',
  toolSet: 'work',
  operations: taskOperations,
  consoleOperations: taskConsoleOperations,
  systemOperations: taskSystemOperations,
  events,
  calm: { completed_at: null, archived_at: null },
} as const satisfies RecordDeclaration;
