import { reads } from '../verb/verb.ts';
import { readTask } from './task-record.ts';

export const getTask = reads('tasks.get', (context, { path }) => readTask(context, path.id));
