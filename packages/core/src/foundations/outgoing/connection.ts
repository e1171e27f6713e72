import { lookup, Resolver } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import {
  nameServerAsked,
  nextAddressAfterMs,
  targetResolvedMs,
  triedAddresses,
} from '../operating-limits.ts';
import type { AllowedTargets } from './allowed-targets.ts';
import { RequestFailure } from './request-failure.ts';

/**
 * Connects to the first of these addresses that answers: they are tried in their order, each next one when the
 * one before failed or has not answered for a quarter of a second, and the slower ones are closed (Happy
 * Eyeballs; Node's own gives an address up after that time, which a far receiver does not survive).
 * Rejects with the first address's error when none answers, and with the signal's reason when it is aborted.
 */
export function connectToAny(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const waiting = addresses.slice(0, triedAddresses);
    const open = new Set<Socket>();
    let firstError: Error | undefined;
    let nextAttempt: NodeJS.Timeout | undefined;

    const leave = (winner?: Socket) => {
      clearTimeout(nextAttempt);
      signal.removeEventListener('abort', onAbort);
      waiting.length = 0;
      for (const socket of open) if (socket !== winner) socket.destroy();
      open.clear();
    };
    const onAbort = () => {
      leave();
      reject(signal.reason);
    };
    const tryNext = () => {
      clearTimeout(nextAttempt);
      const host = waiting.shift();
      if (host === undefined) return;
      const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 });
      open.add(socket);
      socket.once('connect', () => {
        leave(socket);
        resolve(socket);
      });
      // This listener stays, so that an error between here and the next owner's listener cannot crash.
      socket.on('error', (error) => {
        if (!open.delete(socket)) return;
        firstError ??= error;
        if (waiting.length > 0) return tryNext();
        if (open.size > 0) return;
        leave();
        reject(firstError);
      });
      if (waiting.length > 0) nextAttempt = setTimeout(tryNext, nextAddressAfterMs);
    };

    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    tryNext();
  });
}

/** All addresses of a name, in the order to try them. Rejects, or answers none, when there are none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly { address: string }[]>;

/**
 * The way names are resolved unless a caller brings another. Strangers' names go to the name servers directly: the
 * system's resolver (getaddrinfo) has two threads of Node for all its work, so that two receivers with a hanging
 * name server would stop every other delivery. Names that the operator has listed go to the system, which knows the
 * hosts file and search domains. Names of one label can only be the operator's, and when CIDR entries are listed,
 * any name may be: those, and what the name servers do not know, go to the system, one at a time, so that one of the
 * two threads stays free for the names that are certainly the operator's.
 * @param servers name servers to ask, `address` or `address:port`; the system's when absent.
 */
export function createResolve(allowed: AllowedTargets, servers?: readonly string[]): Resolve {
  const askSystemInTurn = oneAtATime((host: string) => lookup(host, { all: true }));
  return async (host, signal) => {
    if (allowed.namesHost(host)) return lookup(host, { all: true });
    if (!host.replace(/\.$/, '').includes('.')) return askSystemInTurn(host, signal);
    const addresses = await askNameServers(host, signal, servers);
    return addresses.length === 0 && allowed.hasBlocks ? askSystemInTurn(host, signal) : addresses;
  };
}

/** Calls wait for the one before; one whose signal is aborted meanwhile is left out. */
function oneAtATime<Result>(ask: (host: string) => Promise<Result>) {
  let last: Promise<unknown> = Promise.resolve();
  return (host: string, signal: AbortSignal): Promise<Result> => {
    const answer = last.then(() => {
      signal.throwIfAborted();
      return ask(host);
    });
    last = answer.catch(() => undefined);
    return answer;
  };
}

/**
 * The addresses of a host, or none when the name does not resolve: any error of the resolver, and no answer
 * within the limit, count as that (rule hooks 11). Never rejects.
 */
export function resolveAddresses(
  host: string,
  resolve: Resolve,
  { limitMs = targetResolvedMs, signal }: { limitMs?: number; signal?: AbortSignal } = {},
): Promise<readonly string[]> {
  return new Promise((settle) => {
    const cancel = new AbortController();
    const finish = (answers: readonly { address: string }[]) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      cancel.abort();
      settle(answers.map(({ address }) => address));
    };
    const giveUp = () => finish([]);
    const timer = setTimeout(giveUp, limitMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    resolve(host, cancel.signal).then(finish, giveUp);
  });
}

async function askNameServers(
  host: string,
  signal: AbortSignal,
  servers: readonly string[] | undefined,
): Promise<{ address: string }[]> {
  // One resolver for each question: it reads the current configuration, and can be cancelled alone.
  const resolver = new Resolver({ timeout: nameServerAsked.ms, tries: nameServerAsked.tries });
  if (servers) resolver.setServers([...servers]);
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  const [ipv4, ipv6] = await Promise.all([
    resolver.resolve4(host).catch(noneOrThrow),
    resolver.resolve6(host).catch(noneOrThrow),
  ]);
  // IPv4 first: nearly every server has it, while IPv6 is often configured and not routed.
  return [...ipv4, ...ipv6].map((address) => ({ address }));
}

/**
 * None where the name has no addresses of this family. Any other error is raised, because addresses that are not
 * known could not be checked.
 */
function noneOrThrow(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return [];
  throw error;
}

/**
 * Starts TLS on a connection and verifies the peer's certificate for `host`, the name or address in the URL.
 * Sessions are not resumed, so that every new connection verifies anew. Rejects with the TLS error, and with
 * the signal's reason when it is aborted; the connection is then closed.
 */
export function secureConnection(socket: Socket, host: string, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = connectSecurely({
      socket,
      host,
      // RFC 6066: a server name is a DNS name, never an address.
      ...(isIP(host) === 0 && { servername: host }),
      ALPNProtocols: ['http/1.1'],
      // Said explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
      rejectUnauthorized: true,
    });
    const leave = () => {
      signal.removeEventListener('abort', onAbort);
      secured.off('close', onClose);
    };
    const fail = (error: unknown) => {
      leave();
      secured.destroy();
      reject(error);
    };
    const onAbort = () => fail(signal.reason);
    const onClose = () => fail(new RequestFailure('tls_error', { detail: 'connection closed' }));
    secured.once('secureConnect', () => {
      leave();
      resolve(secured);
    });
    secured.once('close', onClose);
    // This listener stays, so that a later error cannot crash the process; by then the promise is settled.
    secured.on('error', fail);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
