import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { RequestFailure } from './request-failure.ts';

/**
 * Starts TLS on a connection and verifies the peer's certificate for `host`, the name or address in the URL.
 * Sessions are not resumed, so that every new connection verifies anew. Rejects with the TLS error, and with
 * the signal's reason when it is aborted; the connection is then closed.
 */
export function secureConnection(socket: Socket, host: string, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = connect({
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
