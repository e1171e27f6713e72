export { type SeededStatement, seededStatements } from './seeded-statements.ts';
