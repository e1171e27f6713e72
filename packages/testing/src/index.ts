export { type TestDatabase, testDatabase } from './database.ts';
export {
  type DealkeepOptions,
  startDealkeep,
  type TestDealkeep,
  type TestOrganization,
} from './start-dealkeep.ts';
