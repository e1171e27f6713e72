import { expect, test } from 'vitest';
import { requestFailure } from '../../src/foundations/outgoing/request-failure.ts';

const coded = (code: string) => Object.assign(new Error('inner words'), { code });

test.each([
  ['ENETUNREACH', 'unreachable', 'host is not reachable'],
  ['EHOSTUNREACH', 'unreachable', 'host is not reachable'],
  ['ETIMEDOUT', 'timed_out', 'did not answer in time'],
  ['EPIPE', 'connection_reset', 'connection reset'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate_untrusted', 'certificate is not signed by a trusted authority'],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'certificate_untrusted',
    'certificate is not signed by a trusted authority',
  ],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls_error', 'TLS handshake failed'],
  ['EMFILE', 'connection_failed', 'connection failed: EMFILE'],
  ['UND_ERR_DESTROYED', 'stopped', 'stopped before an answer came'],
])('%s is told as %s, in words that give nothing of the inside away', (code, reason, message) => {
  expect(requestFailure(coded(code), undefined)).toMatchObject({ reason, message });
});
