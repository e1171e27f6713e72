export { Answer } from './answer.ts';
export { ApiClient, type Query, type SendOptions } from './api-client.ts';
export { arbitraryInput, type KnownIds } from './arbitrary-input.ts';
export { Browser, type VisitedPage } from './browser.ts';
export { type ConnectedUser, connectedUser } from './connected-user.ts';
export { contradictions } from './contradictions.ts';
export { type TestDatabase, testDatabase } from './database.ts';
export { type EncryptedServer, startEncryptedServer } from './encrypted-server.ts';
export type { RecordedEvent } from './events-of.ts';
export {
  type DealkeepOptions,
  type OrganizationOptions,
  ownerPassword,
  startDealkeep,
  type TestDealkeep,
  type TestOrganization,
} from './start-dealkeep.ts';
export { eventually, ManualClock } from './time.ts';
export { type Instant, type Stop, WatchedLine } from './watched-line.ts';
