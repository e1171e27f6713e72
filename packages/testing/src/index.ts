export { type TestDatabase, testDatabase } from './database.ts';
