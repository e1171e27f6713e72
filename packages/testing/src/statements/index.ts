export { type SeededMigration, seededMigrations } from './judge-migration.ts';
export { type SeededStatement, seededStatements } from './seeded-statements.ts';
