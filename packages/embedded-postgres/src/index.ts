export { makeFolder } from './make-folder.ts';
export type { EmbeddedPostgres, EmbeddedPostgresOptions, ServerExit } from './start-embedded-postgres.ts';
export { runningEmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';
export { throwawayFolder, throwawaySettings } from './throwaway.ts';
