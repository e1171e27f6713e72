import { type Text, text } from './text.ts';

interface FailureWords {
  readonly plain: Text;
  /** With what is known besides, in place of `{detail}`; behind a colon when absent. */
  readonly detailed?: Text;
}

/** Why an attempt got no answer that counts, in words for people who read the delivery log. */
const words = {
  timed_out: {
    plain: text('did not answer in time', 'neodpovedal včas'),
    detailed: text('did not answer within {detail} s', 'neodpovedal do {detail} s'),
  },
  unresolvable: { plain: text('host name does not resolve', 'názov servera sa nedá preložiť na adresu') },
  target_blocked: {
    plain: text('target is not a public https address', 'cieľ nie je verejná adresa https'),
  },
  connection_refused: { plain: text('connection refused', 'spojenie bolo odmietnuté') },
  connection_reset: { plain: text('connection reset', 'spojenie bolo prerušené') },
  connection_closed: {
    plain: text('connection closed without an answer', 'spojenie sa skončilo bez odpovede'),
  },
  unreachable: { plain: text('host is not reachable', 'server nie je dostupný') },
  connection_failed: { plain: text('connection failed', 'spojenie zlyhalo') },
  certificate_expired: { plain: text('certificate has expired', 'platnosť certifikátu sa skončila') },
  certificate_not_yet_valid: {
    plain: text('certificate is not valid yet', 'certifikát ešte nie je platný'),
  },
  certificate_name_mismatch: {
    plain: text('certificate is for another name', 'certifikát je vystavený na iný názov'),
  },
  certificate_untrusted: {
    plain: text(
      'certificate is not signed by a trusted authority',
      'certifikát nepodpísala dôveryhodná autorita',
    ),
  },
  tls_error: { plain: text('TLS handshake failed', 'nadviazanie TLS zlyhalo') },
  proxy_failed: {
    plain: text(
      'the proxy for outgoing requests gave no connection',
      'proxy pre odchádzajúce požiadavky nedalo spojenie',
    ),
  },
  invalid_response: { plain: text('answer is not valid HTTP', 'odpoveď nie je platné HTTP') },
  incomplete_response: {
    plain: text('answer broke off', 'odpoveď sa prerušila'),
    detailed: text('answer broke off: status {detail}', 'odpoveď sa prerušila: stav {detail}'),
  },
  redirected: {
    plain: text('redirect not followed', 'presmerovanie sa nesleduje'),
    detailed: text('redirect to {detail} not followed', 'presmerovanie na {detail} sa nesleduje'),
  },
  stopped: { plain: text('stopped before an answer came', 'zastavené pred príchodom odpovede') },
  not_sent: { plain: text('could not be sent', 'nedalo sa odoslať') },
} as const satisfies Readonly<Record<string, FailureWords>>;

export type DeliveryFailureReason = keyof typeof words;

export const deliveryFailureReasons = Object.keys(words).filter(
  (reason): reason is DeliveryFailureReason => reason in words,
);

/**
 * A failed attempt in plain words, such as `certificate has expired` or `did not answer within 10 s`.
 *
 * @param detail what is known besides: seconds of `timed_out`, the status of `incomplete_response`, the address of
 *   `redirected`; of the others, technical words in English
 */
export function describeDeliveryFailure(reason: DeliveryFailureReason, detail?: string | null): Text {
  const { plain, detailed }: FailureWords = words[reason];
  if (detail == null) return plain;
  if (!detailed) return text(`${plain.en}: ${detail}`, `${plain.sk}: ${detail}`);
  // A function, because a detail may hold `$&` and the like.
  const filled = (template: string): string => template.replace('{detail}', () => detail);
  return text(filled(detailed.en), filled(detailed.sk));
}
