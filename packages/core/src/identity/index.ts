export { type AssistantReach, assistantReach, lesserReach } from './credentials/assistants.ts';
export { authorize, requireActiveOrganization } from './credentials/authorize.ts';
export type { Actor, Credential } from './credentials/credential.ts';
export type { Caller } from './credentials/credential-cache.ts';
export {
  assignedEntities,
  permissionsFor,
  reachOf,
  reachOn,
  requireReach,
} from './credentials/reach.ts';
export { lastForwarded, type RequestOrigin, requestOrigin } from './credentials/request-origin.ts';
export {
  type ProtectedResource,
  protectedResourceAt,
  protectedResourceMetadata,
  resourceMetadataAddress,
  resourceMetadataPaths,
} from './credentials/resources.ts';
export { countSession, type RateLimitStatus, secondsLeft } from './rate-limits/rate-limiter.ts';
export { bytesOfMb, measureStorage, type StorageState } from './tenancy/measure-storage.ts';
