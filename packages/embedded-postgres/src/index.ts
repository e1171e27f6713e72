export { throwawaySettings } from './server-settings.ts';
export type { EmbeddedPostgres, EmbeddedPostgresOptions, ServerExit } from './start-embedded-postgres.ts';
export { runningEmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';
