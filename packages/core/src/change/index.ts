export { noteExport } from './audit/note-export.ts';
export type { Answer } from './idempotency/stored-answer.ts';
export type { DayCount } from './overview/overview.ts';
export { deliverFlag, deliverTask, WebhookOfJob } from './queue/delivery-jobs.ts';
export { countDeliveryJobs, type DeliveryJobCounts, failedJobs } from './queue/job-counts.ts';
export {
  freeLostMails,
  mailFlag,
  mailTask,
  type NotifiedUser,
  usersToNotify,
} from './queue/mail-jobs.ts';
export {
  type DeliveryHold,
  deliveryHold,
  type PartPause,
  pausedSince,
  type QueuePause,
  webhookPause,
} from './queue/queue-pauses.ts';
export { WorkerPresence } from './queue/worker-presence.ts';
export type { Outcome } from './verb/outcome.ts';
export type { RawBody, RawRequest } from './verb/parse-request.ts';
export {
  isFormEncoded,
  openForm,
  receiveForm,
  type SentForm,
  signedInForm,
} from './verb/receive-form.ts';
export { isUpload, receiveUpload, type Upload } from './verb/receive-upload.ts';
export { type Changing, type ResultOf, StoredJson, type Writing } from './verb/verb.ts';
