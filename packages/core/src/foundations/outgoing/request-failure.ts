import { type DeliveryFailureReason, describeDeliveryFailure } from '@dealkeep/contract';
import { errors } from 'undici';

/** Why a request got no answer that counts. */
export type FailureReason = Exclude<DeliveryFailureReason, 'redirected'>;

/** A failure with its reason, in plain English. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly reason: FailureReason;
  /** What is known besides, as `describeDeliveryFailure` takes it. */
  readonly detail: string | undefined;

  constructor(reason: FailureReason, { detail, cause }: { detail?: string; cause?: unknown } = {}) {
    super(describeDeliveryFailure(reason, detail).en, { cause });
    this.reason = reason;
    this.detail = detail;
  }
}

/** The failure of a receiver that used up its time. */
export const timedOut = (limitMs: number): RequestFailure =>
  new RequestFailure('timed_out', { detail: String(limitMs / 1000) });

const reasonsByCode: Record<string, FailureReason> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timed_out',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_name_mismatch',
  HOSTNAME_MISMATCH: 'certificate_name_mismatch',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_response',
  UND_ERR_ABORTED: 'stopped',
  UND_ERR_CLOSED: 'stopped',
  UND_ERR_DESTROYED: 'stopped',
};

/** OpenSSL's verdicts on a certificate chain, as Node names them (X509 certificate error codes). */
const chainVerdict = /^(UNABLE_TO_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_)/;

/** Names what went wrong on a connection before the request was sent. */
export function connectionFailure(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  const code = codeOf(error);
  const reason = reasonsByCode[code];
  if (reason) return new RequestFailure(reason, { cause: error });
  if (chainVerdict.test(code)) return new RequestFailure('certificate_untrusted', { cause: error });
  if (isTlsCode(code)) return new RequestFailure('tls_error', { ...tlsDetail(error), cause: error });
  return new RequestFailure('connection_failed', { ...(code && { detail: code }), cause: error });
}

/** Names what went wrong with a request; `status` when the answer had begun. */
export function requestFailure(error: unknown, status: number | undefined): RequestFailure {
  if (error instanceof RequestFailure) return error;
  const failure = exchangeFailure(error);
  const brokeOff = ['connection_reset', 'connection_closed', 'invalid_response'];
  return status !== undefined && brokeOff.includes(failure.reason)
    ? new RequestFailure('incomplete_response', { detail: String(status), cause: error })
    : failure;
}

/** Whether the caller, not the network, is at fault: a header or body that cannot be sent. */
export function isCallersMistake(error: unknown): boolean {
  return ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'].includes(codeOf(error));
}

function exchangeFailure(error: unknown): RequestFailure {
  const code = codeOf(error);
  if (code === 'UND_ERR_SOCKET') {
    // undici says so of a 100 or 101 that nobody asked for, and of every early end of the connection.
    const unasked = error instanceof Error && /^bad (response|upgrade)$/.test(error.message);
    return new RequestFailure(unasked ? 'invalid_response' : 'connection_closed', { cause: error });
  }
  // undici's parser errors often have no code.
  if (error instanceof errors.HTTPParserError)
    return new RequestFailure('invalid_response', { cause: error });
  return connectionFailure(error);
}

function isTlsCode(code: string): boolean {
  return code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_');
}

function tlsDetail(error: unknown): { detail?: string } {
  const reason = error instanceof Error && 'reason' in error ? error.reason : undefined;
  return typeof reason === 'string' ? { detail: reason } : {};
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
