import { column, field } from '../../change/record-tables/erased.ts';
import type { RecordKind } from '../../change/record-tables/record-kind.ts';
import { countTasks, getTask, listTasks, tasks } from './record.ts';
import {
  archiveTask,
  completeTask,
  createTask,
  moveTask,
  reopenTask,
  tellOverdue,
  updateTask,
} from './write.ts';

export const task = {
  table: tasks,
  verbs: {
    'tasks.list': listTasks,
    'tasks.count': countTasks,
    'tasks.create': createTask,
    'tasks.get': getTask,
    'tasks.update': updateTask,
    'tasks.complete': completeTask,
    'tasks.reopen': reopenTask,
    'tasks.move': moveTask,
    'tasks.archive': archiveTask,
    'tasks.tell-overdue': tellOverdue,
  },
  erased: {
    with: [
      { kind: 'company', column: 'company_id' },
      { kind: 'lead', column: 'lead_id' },
    ],
    columns: { title: column.text, description: column.nothing },
    fields: { title: field.text, description: field.nothing },
  },
} as const satisfies RecordKind;
