import type { Catalogue } from '../errors.ts';

/** Of the document by which an assistant is registered. */
export const assistantMessages = {
  'assistant.address': {
    code: 'VALIDATION_ERROR',
    en: 'This must be an https address with a path, without query, fragment and user name, such as https://assistant.example/oauth/client.json.',
    sk: 'Toto musí byť https adresa s cestou, bez parametrov, fragmentu a mena používateľa, napríklad https://assistant.example/oauth/client.json.',
  },
  'assistant.private': {
    code: 'VALIDATION_ERROR',
    en: 'This address does not lead to the public internet.',
    sk: 'Táto adresa nevedie do verejného internetu.',
  },
  'assistant.unreachable': {
    code: 'VALIDATION_ERROR',
    en: '{host} cannot be reached, or does not answer in time. Try again later.',
    sk: '{host} nie je dostupný alebo neodpovedá včas. Skúste to neskôr.',
  },
  'assistant.status': {
    code: 'VALIDATION_ERROR',
    en: 'The address answers with status {status} instead of the document. Check its spelling.',
    sk: 'Adresa namiesto dokumentu odpovedá stavom {status}. Skontrolujte ju.',
  },
  'assistant.too_long': {
    code: 'VALIDATION_ERROR',
    en: 'The document is longer than {kib} KiB.',
    sk: 'Dokument je dlhší ako {kib} KiB.',
  },
  'assistant.no_json': {
    code: 'VALIDATION_ERROR',
    en: 'The address answers with something else than a JSON document that describes an application.',
    sk: 'Adresa odpovedá niečím iným ako dokumentom JSON, ktorý opisuje aplikáciu.',
  },
  'assistant.client_id': {
    code: 'VALIDATION_ERROR',
    en: 'The document names another client_id than its own address. Give the address that stands in client_id.',
    sk: 'Dokument uvádza iné client_id než svoju adresu. Zadajte adresu, ktorá je v client_id.',
  },
  'assistant.name': {
    code: 'VALIDATION_ERROR',
    en: 'The document has no client_name that could be shown: one line of 1 to 255 visible characters.',
    sk: 'Dokument nemá client_name, ktoré by sa dalo zobraziť: jeden riadok s 1 až 255 viditeľnými znakmi.',
  },
  'assistant.secret': {
    code: 'VALIDATION_ERROR',
    en: 'The document demands a secret or a key of the application (token_endpoint_auth_method). Only applications that can do with none and PKCE are registered this way.',
    sk: 'Dokument vyžaduje tajomstvo alebo kľúč aplikácie (token_endpoint_auth_method). Takto sa registrujú iba aplikácie, ktorým stačí none a PKCE.',
  },
  'assistant.redirect_uri': {
    code: 'VALIDATION_ERROR',
    en: 'This must be an https address, or http on 127.0.0.1, [::1] or localhost, without fragment and user name.',
    sk: 'Toto musí byť https adresa alebo http na 127.0.0.1, [::1] či localhost, bez fragmentu a mena používateľa.',
  },
  'assistant.redirect_uris': {
    code: 'VALIDATION_ERROR',
    en: 'The document lists no address in redirect_uris that is https, or http on 127.0.0.1, [::1] or localhost.',
    sk: 'Dokument neuvádza v redirect_uris žiadnu adresu s https alebo s http na 127.0.0.1, [::1] či localhost.',
  },
} as const satisfies Catalogue;
