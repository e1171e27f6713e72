export { heldFlags, mailTaskList } from './mail-task.ts';
export { checkMailServer, createMailer, type MailSettings } from './mailer.ts';
export { type ScheduledTask, scheduledTasks } from './tasks.ts';
export { type RunningWorker, startWorker, type WorkerOptions } from './worker.ts';
