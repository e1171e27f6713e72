import { afterAll } from 'vitest';
import { dropDatabases } from './database.ts';

// Registered before the test file is collected, so it runs after all of that file's own hooks.
afterAll(dropDatabases);
