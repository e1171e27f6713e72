import type { Language } from '@dealkeep/contract';
import type { LastError } from '../deliveries/last-error.ts';
import type { FailureReason } from '../outgoing/index.ts';

/** The reasons of the delivery log in Slovak; in English it has words already. */
const slovak: Readonly<Record<FailureReason, string>> = {
  timed_out: 'neodpovedal včas',
  unresolvable: 'meno servera sa nedá nájsť',
  target_blocked: 'adresa nie je verejná adresa https',
  connection_refused: 'spojenie bolo odmietnuté',
  connection_reset: 'spojenie bolo prerušené',
  connection_closed: 'spojenie sa skončilo bez odpovede',
  unreachable: 'server nie je dosiahnuteľný',
  connection_failed: 'spojenie zlyhalo',
  certificate_expired: 'platnosť certifikátu vypršala',
  certificate_not_yet_valid: 'certifikát ešte nie je platný',
  certificate_name_mismatch: 'certifikát je vydaný na iné meno',
  certificate_untrusted: 'certifikát nevydala dôveryhodná autorita',
  tls_error: 'nepodarilo sa nadviazať šifrované spojenie (TLS)',
  invalid_response: 'odpoveď nie je platné HTTP',
  incomplete_response: 'odpoveď sa prerušila',
  stopped: 'pokus bol prerušený',
};

/** What went wrong, in plain words, as a part of a sentence. */
export function errorWords(error: LastError, language: Language): string {
  if ('status' in error) {
    return language === 'sk'
      ? `odpoveď so stavom ${error.status}`
      : `it answered with status ${error.status}`;
  }
  return language === 'sk' ? slovak[error.reason] : error.message;
}
