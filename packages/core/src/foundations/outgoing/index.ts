export { type AllowedTargets, isGloballyReachable, parseAllowedTargets } from './allowed-targets.ts';
export { createResolve, type Resolve } from './connection.ts';
export { createGuardedAgent } from './guarded-agent.ts';
export {
  checkTarget,
  checkTargetUrl,
  type InvalidTargetReason,
  type TargetCheck,
} from './judge-target.ts';
export { checkProxy, isFaultOfProxy, type OutboundProxy, parseOutboundProxy } from './outbound-proxy.ts';
export { type DocumentRequest, type ReadDocument, readDocument } from './read-document.ts';
export { type FailureReason, RequestFailure, requestFailure } from './request-failure.ts';
export { type OutgoingRequest, type RequestOutcome, sendRequest } from './send-request.ts';
