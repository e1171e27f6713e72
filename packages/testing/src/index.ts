export { addUser } from './add-user.ts';
export { Answer } from './answer.ts';
export { ApiClient, type Query, type SendOptions } from './api-client.ts';
export { arbitraryInput, type KnownIds } from './arbitrary-input.ts';
export { type AssistantHost, type HostedDocument, startAssistantHost } from './assistant-host.ts';
export { Browser, type VisitedPage } from './browser.ts';
export { type ConnectedUser, connectedUser } from './connected-user.ts';
export { contradictions } from './contradictions.ts';
export { isLong } from './cost.ts';
export { filledOnce, type TestDatabase, testDatabase } from './database.ts';
export { type EncryptedServer, startEncryptedServer } from './encrypted-server.ts';
export type { RecordedEvent } from './events-of.ts';
export { fillTable } from './fill-table.ts';
export { freePort } from './free-port.ts';
export { heldMemory } from './held-memory.ts';
export { type HookReceiver, type HookRequest, type Reply, startHookReceiver } from './hook-receiver.ts';
export { inConsole } from './in-console.ts';
export { endLockWaits, lockWaits } from './lock-waits.ts';
export { logAttempt } from './log-attempt.ts';
export {
  createManualWebhook,
  disableWebhook,
  enableWebhook,
  recoverDeliveries,
  removeWebhook,
  resendDelivery,
  rotateWebhookSecret,
  sendTestEvent,
  updateManualWebhook,
} from './manual-webhooks.ts';
export { rulesFolder, rulesInTitles, rulesNamedIn } from './rules.ts';
export {
  cheapHash,
  type DealkeepOptions,
  type OrganizationOptions,
  ownerPassword,
  ownerPasswordHash,
  promptTiming,
  type StoppableDealkeep,
  sharedDealkeep,
  startDealkeep,
  type TestDealkeep,
  type TestOrganization,
} from './start-dealkeep.ts';
export { eventually, growOlder, ManualClock } from './time.ts';
export { type Instant, type Stop, WatchedLine } from './watched-line.ts';
