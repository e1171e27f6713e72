export { readingBackup, sayingWhyOfFile, writingBackup } from './backup/backup-on-disk.ts';
export { moveDatabase } from './backup/move-database.ts';
export { missingKeys } from './backup/requirements.ts';
export {
  type RestoredBackup,
  type RestoreOptions,
  restoreBackup,
} from './backup/restore-backup.ts';
export {
  type BackupRun,
  type BackupStatus,
  backupStatus,
} from './backup/scheduled/backup-runs.ts';
export { type BackupPlan, ScheduledBackups } from './backup/scheduled/scheduled-backups.ts';
export type { Settled } from './backup/settle.ts';
export { settleRecovered } from './backup/settle-recovered.ts';
export { takeBackup } from './backup/take-backup.ts';
export { type TriedBackup, tryBackup } from './backup/try-backup.ts';
export { type VerifiedBackup, verifyBackup } from './backup/verify-backup.ts';
export { resetTestEnvironment } from './demo/reset-test-environment.ts';
export { demoOrganization, type SeedCounts, seedDemo } from './demo/seed.ts';
export { byteOrderMark, type CsvCell, type CsvStyle, csvText } from './export/csv-text.ts';
export {
  type ExportedFiles,
  type ExportSummary,
  exportedKinds,
  exportOrganization,
  leftOutTables,
} from './export/export-organization.ts';
export { keysOfWebhooks } from './installation/encrypted-values.ts';
export {
  claimEnvironment,
  enterInstallation,
  readEnvironment,
} from './installation/installation.ts';
export { pauseQueue, type QueuePart, resumeQueue } from './installation/pause-queue.ts';
export { type ProcessFacts, ProcessPresence } from './installation/process-presence.ts';
export { discardQueue, type QueueSummary, queueSummary } from './installation/queue.ts';
export {
  listQueue,
  type QueuedWebhook,
  type QueueFilter,
  type QueueStatus,
  queueStatus,
} from './installation/queue-status.ts';
export {
  forgetLostKeys,
  type KeyInUse,
  type Rotation,
  rotateSecrets,
} from './installation/rotate-secrets.ts';
export { type RunningProcess, runningProcesses } from './installation/running-processes.ts';
export {
  type KeyWay,
  knownKeys,
  needsNoKeyYet,
  WrongInstallation,
} from './installation/secrets-keys.ts';
export { type Mail, sendMail } from './mails/send-mail.ts';
export { type ForgottenOrganization, forgetOrganization } from './moving/forget-organization.ts';
export {
  type MovedOrganization,
  moveOrganization,
  type OrganizationMove,
  type OrganizationMovePreview,
  previewOrganizationMove,
} from './moving/move-organization.ts';
export type { MovedAway } from './moving/moved-away.ts';
export { endPausesOfEndedMoves } from './moving/pause-for-move.ts';
export {
  type TakenBackOrganization,
  takeBackOrganization,
} from './moving/take-back-organization.ts';
export { type KeptName, removeOld, sweepOld } from './retention/retention.ts';
export { planScaleOut, type ScaleOutPlan, scaleOut } from './scale-out/scale-out.ts';
