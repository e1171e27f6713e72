export { databaseUrl } from '../database-url.ts';
export { citusUrl, joinServers, onEach, workersOf } from './servers.ts';
