export { isGloballyReachable } from './address-reachability.ts';
export { type AllowedTargets, parseAllowedTargets } from './allowed-targets.ts';
export {
  checkTarget,
  checkTargetUrl,
  type InvalidTargetReason,
  type TargetCheck,
} from './check-target-url.ts';
export { createGuardedAgent } from './guarded-agent.ts';
export { checkProxy, isFaultOfProxy, type OutboundProxy, parseOutboundProxy } from './outbound-proxy.ts';
export { type FailureReason, requestFailure } from './request-failure.ts';
export { createResolve, type Resolve } from './resolve-host.ts';
export { type OutgoingRequest, type RequestOutcome, sendRequest } from './send-request.ts';
