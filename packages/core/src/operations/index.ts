export { type ExecuteOptions, execute, problemsIn } from './execute.ts';
export { addImportJob, continueImports, ImportJob, importTask } from './imports/import-jobs.ts';
export {
  chooseMapping,
  countRows,
  countShortRows,
  createImport,
  discardImport,
  getImport,
  type Import,
  type ImportChoice,
  type ImportStatus,
  listImports,
  permittedMatches,
  type RowState,
  requireImporting,
  startImport,
  stopImport,
  undoImport,
  undoUntil,
} from './imports/imports.ts';
export { columnOf, type ReadRow } from './imports/read-rows.ts';
export { type ImportedRow, previewRows, readImportedRows } from './imports/report.ts';
export {
  type ImportKind,
  type ImportTarget,
  importTargets,
  isImportKind,
  isRequired,
} from './imports/targets.ts';
export { workOnImport } from './imports/work-on-import.ts';
export { type LatestEvent, latestEvents, type VisibleEvents } from './latest-events.ts';
export { tagOf, tagOfRecord, unchanged } from './locked-record.ts';
export { run } from './run.ts';
export {
  hasUnchangedRole,
  problemsForUser,
  reachFor,
  runAsUser,
  type UserRequest,
} from './run-as-user.ts';
export { type DoneWithRecord, runOnManyAsUser } from './run-on-many-as-user.ts';
export type { VerbId } from './verbs.ts';
