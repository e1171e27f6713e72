import { lookup } from 'node:dns/promises';
import { request } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { answerHeadBytes, triedAddresses } from '../operating-limits.ts';
import { plainHost } from './allowed-targets.ts';
import { connectToAny, secureConnection } from './connection.ts';
import { connectionFailure, RequestFailure } from './request-failure.ts';

/** The proxy that deliveries go through; `OUTBOUND_PROXY`. */
export interface OutboundProxy {
  readonly protocol: 'http:' | 'https:';
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** The value of `Proxy-Authorization`; a secret. */
  readonly authorization: string | undefined;
}

/** Reads `http://[user:password@]host[:port]`, or https. Throws an Error that does not tell the credentials. */
export function parseOutboundProxy(text: string): OutboundProxy {
  const url = URL.parse(text);
  const { protocol } = url ?? {};
  if (
    !url ||
    (protocol !== 'http:' && protocol !== 'https:') ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    !isDecodable(`${url.username}:${url.password}`)
  ) {
    throw new Error(
      'takes an address without a path such as http://user:password@proxy.example:3128; in a password, % is %25 and @ is %40',
    );
  }
  const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { protocol, host: plainHost(url.hostname), port, authorization: basicAuthorization(url) };
}

/**
 * Asks the proxy for a connection to one of these addresses, in their order. It is told addresses and never the
 * name, so that it reaches exactly what was judged. Rejects in words that blame the proxy, and with the signal's
 * reason when it is aborted.
 */
export async function connectThroughProxy(
  proxy: OutboundProxy,
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  let firstError: unknown;
  for (const address of addresses.slice(0, triedAddresses)) {
    try {
      return await openTunnel(proxy, isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`, signal);
    } catch (error) {
      signal.throwIfAborted();
      firstError ??= error;
    }
  }
  const failure = connectionFailure(firstError);
  if (failure.reason === 'proxy_failed') throw failure;
  const { message } = failure;
  throw new RequestFailure('proxy_failed', { detail: message, cause: firstError });
}

/**
 * Whether the proxy lets us through, as far as an address that need not answer can show it. Rejects in words that
 * blame the proxy, and with the signal's reason when it is aborted.
 */
export async function checkProxy(proxy: OutboundProxy, address: string, signal: AbortSignal): Promise<void> {
  try {
    (await connectThroughProxy(proxy, [address], 443, signal)).destroy();
  } catch (error) {
    // The proxy let us through and then failed to reach the address, which is all that was to be found out.
    if (error instanceof RequestFailure && !isFaultOfProxy(error.detail)) return;
    throw error;
  }
}

const detailOf = (status: number): string => `status ${status}`;

/**
 * Whether a proxy's failure is its own, or ours, rather than the target's: with 502 and 504 it says that it cannot
 * reach the target (RFC 9110 §15.6.3, §15.6.5).
 *
 * @param detail of a `proxy_failed`
 */
export const isFaultOfProxy = (detail: string | undefined): boolean =>
  ![502, 504].some((status) => detail === detailOf(status));

/** A tunnel by CONNECT. Source: RFC 9110 §9.3.6. */
async function openTunnel(proxy: OutboundProxy, authority: string, signal: AbortSignal): Promise<Socket> {
  const connection = await connectToProxy(proxy, signal);
  try {
    return await new Promise((resolve, reject) => {
      const asked = request({
        method: 'CONNECT',
        path: authority,
        headers: {
          host: authority,
          ...(proxy.authorization !== undefined && { 'proxy-authorization': proxy.authorization }),
        },
        createConnection: () => connection,
        maxHeaderSize: answerHeadBytes,
        signal,
      });
      asked.once('connect', ({ statusCode = 0 }, socket, head) => {
        if (statusCode < 200 || statusCode > 299) {
          return reject(new RequestFailure('proxy_failed', { detail: detailOf(statusCode) }));
        }
        socket.unshift(head);
        resolve(connection);
      });
      // Stays, as in connectToAny.
      asked.on('error', (error) => reject(asHttpFailure(error)));
      asked.end();
    });
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/** Node's parser has codes of its own. */
function asHttpFailure(error: Error): Error {
  const isParsers = 'code' in error && String(error.code).startsWith('HPE_');
  return isParsers ? new RequestFailure('invalid_response', { cause: error }) : error;
}

async function connectToProxy({ protocol, host, port }: OutboundProxy, signal: AbortSignal): Promise<Socket> {
  const found = await lookup(host, { all: true }).catch(() => []);
  signal.throwIfAborted();
  if (found.length === 0) throw new RequestFailure('unresolvable');
  const socket = await connectToAny(
    found.map(({ address }) => address),
    port,
    signal,
  );
  return protocol === 'https:' ? secureConnection(socket, host, signal) : socket;
}

/**
 * Whether each percent sign begins an encoded character (RFC 3986 §2.1), which is easily forgotten in a password.
 */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Source: RFC 7617. */
function basicAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}
