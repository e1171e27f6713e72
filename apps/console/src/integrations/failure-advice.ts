import { type DeliveryFailureReason, type Language, limits, type Text, text } from '@dealkeep/contract';

const unreachable = text(
  'The server could not be reached. See whether it runs, and whether it can be reached from outside.',
  'Server sa nedal dosiahnuť. Pozrite, či beží a či je dostupný zvonku.',
);
const certificate = text(
  'Nothing is sent over a connection that is not safe. Renew or replace the certificate of the server.',
  'Cez nezabezpečené spojenie sa nič nepošle. Obnovte alebo vymeňte certifikát servera.',
);
const here = text(
  'It did not get as far as the receiver. Tell whoever runs this Dealkeep.',
  'K príjemcovi sa to nedostalo. Povedzte to prevádzkovateľovi tohto Dealkeepu.',
);
const broken = text(
  'The receiver began to answer and broke off. Its own log at that moment says why.',
  'Príjemca začal odpovedať a prestal. Prečo, povie jeho vlastný záznam z tej chvíle.',
);

/** What to do where nothing was answered, or nothing that counts. */
const ofFailure: Readonly<Record<DeliveryFailureReason, Text>> = {
  timed_out: text(
    `The receiver has ${limits.deliveryTimeoutSeconds} seconds. Let it answer first and do its work afterwards.`,
    `Príjemca má ${limits.deliveryTimeoutSeconds} sekúnd. Nech najprv odpovie a prácu urobí potom.`,
  ),
  unresolvable: text(
    'There is no server of this name. Look for a typing error in the address of the webhook.',
    'Server s týmto názvom neexistuje. Hľadajte preklep v adrese webhooku.',
  ),
  target_blocked: text(
    'Webhooks lead to public https addresses only. Give it such an address, or ask whoever runs this Dealkeep to allow it.',
    'Webhooky vedú iba na verejné adresy https. Dajte mu takú adresu, alebo požiadajte prevádzkovateľa tohto Dealkeepu, aby ju povolil.',
  ),
  connection_refused: unreachable,
  connection_reset: unreachable,
  connection_closed: unreachable,
  unreachable,
  connection_failed: unreachable,
  certificate_expired: certificate,
  certificate_not_yet_valid: certificate,
  certificate_name_mismatch: certificate,
  certificate_untrusted: certificate,
  tls_error: certificate,
  proxy_failed: here,
  invalid_response: broken,
  incomplete_response: broken,
  redirected: text(
    'Redirects are not followed. Enter the address that it leads to.',
    'Presmerovania sa nesledujú. Zadajte adresu, na ktorú vedie.',
  ),
  stopped: here,
  not_sent: here,
};

const refused = text(
  'The receiver does not accept the sender. Check its secret, and the headers that this webhook sends.',
  'Príjemca odosielateľa neprijal. Skontrolujte jeho podpisový kľúč a hlavičky, ktoré webhook posiela.',
);
const nothingThere = text(
  'There is nothing at this address. The Zap, workflow or flow may be off or removed, or the address is wrong.',
  'Na tejto adrese nič nie je. Zap, workflow alebo flow je možno vypnutý či odstránený, alebo je adresa zlá.',
);
const tooMuch = text(
  'The receiver gets more than it takes. Limit how many this webhook sends in a minute.',
  'Príjemca dostáva viac, než zvládne. Obmedzte, koľko webhook pošle za minútu.',
);

/** What to do about an answer that is no success. */
const ofStatus: Readonly<Record<number, Text>> = {
  401: refused,
  403: refused,
  404: nothingThere,
  405: text(
    'This address takes no POST. Enter the address that the receiver gives for webhooks.',
    'Táto adresa neprijíma POST. Zadajte adresu, ktorú príjemca určil pre webhooky.',
  ),
  410: nothingThere,
  413: text(
    'The receiver does not take so large a body. Allow larger ones there.',
    'Príjemca neprijme taký veľký obsah. Povoľte tam väčší.',
  ),
  429: tooMuch,
  503: text(
    'The receiver is overloaded or down for a while. It is tried again; if it stays, look at it there.',
    'Príjemca je preťažený alebo na chvíľu mimo prevádzky. Skúsi sa to znova; ak to pretrváva, pozrite sa tam.',
  ),
};
const notAccepted = text(
  'The receiver does not accept what was sent. Its answer says why; compare it with what is sent, below.',
  'Príjemca neprijal, čo sa poslalo. Dôvod povie jeho odpoveď; porovnajte ju s tým, čo sa posiela, nižšie.',
);
const itsFault = text(
  'The receiver itself failed. Look at its own log at that moment; its answer may say more.',
  'Chyba nastala u príjemcu. Pozrite jeho vlastný záznam z tej chvíle; viac môže povedať jeho odpoveď.',
);

/** What somebody can do about an attempt that failed. */
export function adviceOf(
  language: Language,
  { status, failure }: { status: number | null; failure: DeliveryFailureReason | null },
): string {
  if (failure) return ofFailure[failure][language];
  if (status === null) return here[language];
  return (ofStatus[status] ?? (status < 500 ? notAccepted : itsFault))[language];
}
