import { isIP } from 'node:net';
import { Agent, type buildConnector } from 'undici';
import { answerHeadBytes, idleTargetConnectionMs, targetConnectedMs } from '../operating-limits.ts';
import type { AllowedTargets } from './allowed-targets.ts';
import {
  connectToAny,
  createResolve,
  type Resolve,
  resolveAddresses,
  secureConnection,
} from './connection.ts';
import { judgeAddresses, judgeTarget, type Target, targetOf } from './judge-target.ts';
import { connectThroughProxy, type OutboundProxy } from './outbound-proxy.ts';
import { connectionFailure, RequestFailure, timedOut } from './request-failure.ts';

type Connection = Awaited<ReturnType<typeof connectToAny>>;

/**
 * An undici Agent that reaches only public or allowed targets (rule hooks 13), whatever a name resolves to
 * at that moment: it resolves once, refuses if any address fails, connects to exactly these addresses and looks
 * at the peer's address again. It speaks HTTP/1.1, verifies certificates and keeps connections alive. A
 * refused or failed connection gives a RequestFailure. `destroy()` also ends connections in the making.
 * @param proxy all connections go through it, to addresses that were judged before; without it, and whatever the
 *   environment says, directly.
 * @param connections at most so many to one origin; unlimited when absent, so that no request waits for another.
 * @param connectLimitMs for resolving, connecting and TLS together.
 */
export function createGuardedAgent({
  allowed,
  resolve = createResolve(allowed),
  proxy,
  connections,
  connectLimitMs = targetConnectedMs,
}: {
  allowed: AllowedTargets;
  resolve?: Resolve;
  proxy?: OutboundProxy | undefined;
  connections?: number;
  connectLimitMs?: number;
}): Agent {
  const pending = new Set<AbortController>();
  const connect: buildConnector.connector = (options, callback) => {
    const attempt = new AbortController();
    const timer = setTimeout(() => attempt.abort(timedOut(connectLimitMs)), connectLimitMs);
    pending.add(attempt);
    const leave = () => {
      clearTimeout(timer);
      pending.delete(attempt);
    };
    openConnection(options, { allowed, resolve, proxy }, attempt.signal).then(
      (connection) => {
        leave();
        callback(null, connection);
      },
      (error) => {
        leave();
        callback(connectionFailure(error), null);
      },
    );
  };
  return new GuardedAgent(connect, pending, connections);
}

class GuardedAgent extends Agent {
  readonly #pending: ReadonlySet<AbortController>;

  constructor(
    connect: buildConnector.connector,
    pending: ReadonlySet<AbortController>,
    connections: number | undefined,
  ) {
    super({
      connect,
      ...(connections !== undefined && { connections }),
      allowH2: false,
      maxHeaderSize: answerHeadBytes,
      keepAliveMaxTimeout: idleTargetConnectionMs,
      // No limits of undici's own: the sender limits the whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#pending = pending;
  }

  override destroy(): Promise<void>;
  override destroy(error: Error | null): Promise<void>;
  override destroy(callback: () => void): void;
  override destroy(error: Error | null, callback: () => void): void;
  override destroy(first: Error | null | (() => void) = null, callback?: () => void): Promise<void> | void {
    for (const attempt of this.#pending) attempt.abort(new RequestFailure('stopped'));
    if (typeof first === 'function') return super.destroy(first);
    return callback ? super.destroy(first, callback) : super.destroy(first);
  }
}

async function openConnection(
  { protocol, hostname, port }: buildConnector.Options,
  {
    allowed,
    resolve,
    proxy,
  }: { allowed: AllowedTargets; resolve: Resolve; proxy: OutboundProxy | undefined },
  signal: AbortSignal,
): Promise<Connection> {
  const target = targetOf({ protocol, hostname, port });
  if (!target || judgeTarget(target, allowed)) throw new RequestFailure('target_blocked');
  const addresses =
    isIP(target.host) === 0 ? await resolveAddresses(hostname, resolve, { signal }) : [target.host];
  signal.throwIfAborted();
  if (addresses.length === 0) throw new RequestFailure('unresolvable');
  if (judgeAddresses(target, addresses, allowed)) throw new RequestFailure('target_blocked');

  const socket = await (proxy
    ? connectThroughProxy(proxy, addresses, target.port, signal)
    : connectToAny(addresses, target.port, signal));
  try {
    if (!proxy) judgePeer(socket, target, allowed);
    return target.protocol === 'https:' ? await secureConnection(socket, target.host, signal) : socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/**
 * Judges the address that the connection really has, though all addresses were judged before: a second check, should
 * something ever go wrong between.
 */
function judgePeer({ remoteAddress }: Connection, target: Target, allowed: AllowedTargets): void {
  if (remoteAddress === undefined) throw new RequestFailure('connection_reset');
  if (judgeAddresses(target, [remoteAddress], allowed)) throw new RequestFailure('target_blocked');
}
