import type { Catalogue } from '../errors.ts';

/** Of requests as a whole: how they are sent and read, what they are counted by, and our own faults. */
export const requestMessages = {
  'request.not_json': {
    code: 'BAD_REQUEST',
    en: 'The body is not valid JSON.',
    sk: 'Telo požiadavky nie je platný JSON.',
  },
  'request.not_utf8': {
    code: 'BAD_REQUEST',
    en: 'The body is no text in UTF-8. Encode it so, and send it uncompressed.',
    sk: 'Telo požiadavky nie je text v UTF-8. Zakódujte ho tak a pošlite ho nekomprimované.',
  },
  'request.not_an_object': {
    code: 'BAD_REQUEST',
    en: 'The body must be a JSON object.',
    sk: 'Telo požiadavky musí byť objekt JSON.',
  },
  'request.content_type': {
    code: 'BAD_REQUEST',
    en: 'Send the body with Content-Type: application/json.',
    sk: 'Telo pošlite s hlavičkou Content-Type: application/json.',
  },
  'request.too_large': {
    code: 'BAD_REQUEST',
    en: 'The body is larger than 1 MiB.',
    sk: 'Telo požiadavky je väčšie ako 1 MiB.',
  },
  'request.malformed': {
    code: 'BAD_REQUEST',
    en: 'This is no valid HTTP request: its first line or a header is malformed or too long.',
    sk: 'Toto nie je platná požiadavka HTTP: jej prvý riadok alebo hlavička je chybná alebo pridlhá.',
  },
  'request.too_slow': {
    code: 'BAD_REQUEST',
    en: 'The request took too long to arrive.',
    sk: 'Požiadavka prichádzala príliš dlho.',
  },
  'request.too_much_at_once': {
    code: 'RATE_LIMITED',
    en: 'More than {max} MiB of requests are being received or answered at once. Send fewer at a time; try again in {seconds} s.',
    sk: 'Naraz sa prijíma alebo spracúva viac ako {max} MiB požiadaviek. Posielajte ich naraz menej; skúste to znova o {seconds} s.',
  },
  'request.interrupted': {
    code: 'BAD_REQUEST',
    en: 'The body ended before it was complete.',
    sk: 'Telo požiadavky sa skončilo predčasne.',
  },
  'form.content_type': {
    code: 'BAD_REQUEST',
    en: 'Send the fields as application/x-www-form-urlencoded.',
    sk: 'Polia pošlite ako application/x-www-form-urlencoded.',
  },
  'form.too_large': {
    code: 'BAD_REQUEST',
    en: 'What was sent is larger than the {max} KiB that this form may have. Shorten its texts and send it again.',
    sk: 'Odoslané údaje sú väčšie ako {max} KiB, ktoré tento formulár môže mať. Skráťte texty a odošlite ho znova.',
  },
  'form.too_many_rows': {
    code: 'BAD_REQUEST',
    en: 'What was sent has more than the {max} rows that a list in a form may have. Send it by the API.',
    sk: 'Odoslané údaje majú viac ako {max} riadkov, ktoré zoznam vo formulári môže mať. Pošlite ich cez API.',
  },
  'form.too_many_fields': {
    code: 'BAD_REQUEST',
    en: 'What was sent has more than the {max} fields that this form may have.',
    sk: 'Odoslané údaje majú viac ako {max} polí, ktoré tento formulár môže mať.',
  },
  'parameter.unsupported': {
    code: 'UNSUPPORTED_FILTER',
    en: 'The parameter "{parameter}" is not supported here.',
    sk: 'Parameter „{parameter}“ tu nie je podporovaný.',
  },
  'parameter.invalid': {
    code: 'INVALID_PARAMETER',
    en: 'The parameter "{parameter}" is not valid: {reason}',
    sk: 'Parameter „{parameter}“ nie je platný: {reason}',
  },
  'parameter.plus_is_space': {
    code: 'INVALID_PARAMETER',
    en: 'This must be a date and time with an offset. In an address, a + means a space: write %2B, or the time in UTC with Z.',
    sk: 'Toto musí byť dátum a čas s posunom. V adrese znamená + medzeru: napíšte %2B alebo čas v UTC so Z.',
  },
  'list.too_long_to_sum': {
    code: 'INVALID_PARAMETER',
    en: 'More than {max} records match, too many to add up at once. Narrow the filters.',
    sk: 'Vyhovuje viac ako {max} záznamov, naraz sa ich toľko spočítať nedá. Zúžte filtre.',
  },
  'parameter.cursor': {
    code: 'INVALID_CURSOR',
    en: 'The cursor is not valid. Take it unchanged from next_cursor and keep all filters and the sort the same.',
    sk: 'Kurzor nie je platný. Použite ho nezmenený z next_cursor a nemeňte filtre ani zoradenie.',
  },
  'events.cursor_expired': {
    code: 'INVALID_CURSOR',
    en: 'The cursor is older than the {days} days for which events are kept. Begin again without a cursor, with created_after={begin}.',
    sk: 'Kurzor je starší ako {days} dní, počas ktorých sa udalosti uchovávajú. Začnite znova bez kurzora, s created_after={begin}.',
  },
  'idempotency.key': {
    code: 'INVALID_PARAMETER',
    en: 'The header Idempotency-Key must have 1 to 255 characters.',
    sk: 'Hlavička Idempotency-Key musí mať 1 až 255 znakov.',
  },
  'idempotency.reused': {
    code: 'IDEMPOTENCY_KEY_REUSED',
    en: 'This Idempotency-Key was already used for a different request. Use a new key for a new request.',
    sk: 'Tento Idempotency-Key už bol použitý na inú požiadavku. Na novú požiadavku použite nový kľúč.',
  },
  'idempotency.in_progress': {
    code: 'IDEMPOTENCY_IN_PROGRESS',
    en: 'The first request with this Idempotency-Key is still running. Try again shortly.',
    sk: 'Prvá požiadavka s týmto Idempotency-Key ešte prebieha. Skúste to o chvíľu.',
  },
  'record.not_found': {
    code: 'NOT_FOUND',
    en: 'There is no such record in this organization.',
    sk: 'Taký záznam v tejto organizácii nie je.',
  },
  'path.not_found': {
    code: 'NOT_FOUND',
    en: 'There is no such address or method in this API.',
    sk: 'Taká adresa alebo metóda v tomto API nie je.',
  },
  'rate.limited': {
    code: 'RATE_LIMITED',
    en: 'Too many requests. Try again in {seconds} s.',
    sk: 'Priveľa požiadaviek. Skúste to znova o {seconds} s.',
  },
  'service.unavailable': {
    code: 'SERVICE_UNAVAILABLE',
    en: 'The service is temporarily unavailable. Try again shortly.',
    sk: 'Služba je dočasne nedostupná. Skúste to o chvíľu.',
  },
  'service.fault': {
    code: 'INTERNAL_ERROR',
    en: 'Something went wrong on our side. The request id helps the operator find out what.',
    sk: 'Niečo sa u nás pokazilo. Identifikátor požiadavky pomôže prevádzkovateľovi zistiť príčinu.',
  },
  'storage.full': {
    code: 'LIMIT_EXCEEDED',
    en: 'The organization has used up its storage, so nothing new can be made. Delete what is no longer needed, or ask whoever operates this installation for more.',
    sk: 'Organizácia vyčerpala svoje úložisko, preto sa nedá vytvoriť nič nové. Zmažte, čo už nepotrebujete, alebo požiadajte správcu tejto inštalácie o viac.',
  },
  'storage.over': {
    code: 'LIMIT_EXCEEDED',
    en: 'The organization has used up its storage and a quarter more, so no record can be changed. Delete what is no longer needed, or ask whoever operates this installation for more.',
    sk: 'Organizácia vyčerpala svoje úložisko a štvrtinu navyše, preto sa záznamy nedajú meniť. Zmažte, čo už nepotrebujete, alebo požiadajte správcu tejto inštalácie o viac.',
  },
} as const satisfies Catalogue;
