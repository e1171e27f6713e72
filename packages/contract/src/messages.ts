import type { ErrorCode } from './errors.ts';
import type { Language, Text } from './text.ts';

/** Messages by their keys; the compiler refuses one without both languages. */
export type Catalogue = Readonly<Record<string, { readonly code: ErrorCode } & Text>>;

/**
 * Every message that the API can answer, in both languages, with its error code. Placeholders stand in braces, the
 * same in both; the tests refuse an answer in which one was left.
 */
export const messages = {
  // Requests
  'request.not_json': {
    code: 'BAD_REQUEST',
    en: 'The body is not valid JSON.',
    sk: 'Telo požiadavky nie je platný JSON.',
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
  'parameter.cursor': {
    code: 'INVALID_CURSOR',
    en: 'The cursor is not valid. Take it unchanged from next_cursor and keep all filters and the sort the same.',
    sk: 'Kurzor nie je platný. Použite ho nezmenený z next_cursor a nemeňte filtre ani zoradenie.',
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

  // Credentials
  'credential.missing': {
    code: 'UNAUTHORIZED',
    en: 'Send an API key in the header Authorization: Bearer <API_KEY>.',
    sk: 'Pošlite API kľúč v hlavičke Authorization: Bearer <API_KEY>.',
  },
  'metrics.token': {
    code: 'UNAUTHORIZED',
    en: 'Send the METRICS_TOKEN in the header Authorization: Bearer <METRICS_TOKEN>.',
    sk: 'Pošlite METRICS_TOKEN v hlavičke Authorization: Bearer <METRICS_TOKEN>.',
  },
  'credential.invalid': {
    code: 'UNAUTHORIZED',
    en: 'The API key or access token is not valid: it is unknown, has expired or was revoked.',
    sk: 'API kľúč alebo prístupový token nie je platný: je neznámy, vypršal alebo bol zrušený.',
  },
  'credential.live_in_test': {
    code: 'WRONG_ENVIRONMENT',
    en: 'A live key does not work in the test environment. Use a key that starts with dk_test_.',
    sk: 'Ostrý kľúč v testovacom prostredí nefunguje. Použite kľúč, ktorý sa začína dk_test_.',
  },
  'credential.test_in_live': {
    code: 'WRONG_ENVIRONMENT',
    en: 'A test key does not work here. Use a key that starts with dk_live_.',
    sk: 'Testovací kľúč tu nefunguje. Použite kľúč, ktorý sa začína dk_live_.',
  },
  'credential.owner_inactive': {
    code: 'TOKEN_OWNER_INACTIVE',
    en: 'The person who owns this API key is no longer active. Create a key for an active person.',
    sk: 'Vlastník tohto API kľúča už nie je aktívny. Vytvorte kľúč pre aktívneho používateľa.',
  },
  'credential.legacy': {
    code: 'LEGACY_KEY_NOT_ALLOWED',
    en: 'A legacy key cannot be used here. Create a new API key.',
    sk: 'Starší typ kľúča tu nie je možné použiť. Vytvorte nový API kľúč.',
  },
  'credential.scope': {
    code: 'FORBIDDEN',
    en: 'The API key lacks the scope {scope}. Create a key that has it.',
    sk: 'API kľúču chýba oprávnenie {scope}. Vytvorte kľúč, ktorý ho má.',
  },
  'credential.scope_connection': {
    code: 'FORBIDDEN',
    en: 'This connection lacks the scope {scope}. Connect the application again and allow it.',
    sk: 'Tomuto pripojeniu chýba oprávnenie {scope}. Pripojte aplikáciu znova a povoľte ho.',
  },
  'credential.scope_oauth': {
    code: 'FORBIDDEN',
    en: 'A connected application cannot use the scope {scope}. Use an API key.',
    sk: 'Pripojená aplikácia nemôže použiť oprávnenie {scope}. Použite API kľúč.',
  },
  'role.missing': {
    code: 'ROLE_PERMISSION_MISSING',
    en: 'Your role in the organization lacks the permission {permission}. Ask an owner to add it to the role.',
    sk: 'Vašej role v organizácii chýba oprávnenie {permission}. Požiadajte vlastníka, aby ho k role pridal.',
  },
  'role.limited': {
    code: 'ROLE_SCOPE_LIMITED',
    en: 'Your role has the permission {permission} only for records assigned to you. Ask an owner to grant it for all records.',
    sk: 'Vaša rola má oprávnenie {permission} len pre záznamy, ktoré sú vám pridelené. Požiadajte vlastníka o oprávnenie pre všetky záznamy.',
  },
  'role.owners_only': {
    code: 'FORBIDDEN',
    en: 'Only owners of the organization can do this. Ask one of them.',
    sk: 'Toto môžu iba vlastníci organizácie. Požiadajte niektorého z nich.',
  },
  'sign_in.wrong': {
    code: 'UNAUTHORIZED',
    en: 'The e-mail address or the password is not right.',
    sk: 'E-mailová adresa alebo heslo nie je správne.',
  },
  'sign_in.slow': {
    code: 'RATE_LIMITED',
    en: 'Too many attempts to sign in. Try again in {seconds} s.',
    sk: 'Priveľa pokusov o prihlásenie. Skúste to znova o {seconds} s.',
  },
  'organization.lapsed': {
    code: 'PAYMENT_REQUIRED',
    en: 'The subscription of the organization is not active. Renew it to go on.',
    sk: 'Predplatné organizácie nie je aktívne. Ak chcete pokračovať, obnovte ho.',
  },

  // Fields
  'fields.invalid': {
    code: 'VALIDATION_ERROR',
    en: 'Some fields are not valid: {fields}.',
    sk: 'Niektoré polia nie sú platné: {fields}.',
  },
  'field.required': { code: 'VALIDATION_ERROR', en: 'This field is required.', sk: 'Toto pole je povinné.' },
  'field.empty': { code: 'VALIDATION_ERROR', en: 'This must not be empty.', sk: 'Toto nesmie byť prázdne.' },
  'field.unknown': {
    code: 'VALIDATION_ERROR',
    en: 'There is no such field. Check its spelling.',
    sk: 'Také pole neexistuje. Skontrolujte jeho názov.',
  },
  'field.invalid_type': {
    code: 'VALIDATION_ERROR',
    en: 'This must be {type}.',
    sk: 'Toto musí byť {type}.',
  },
  'field.invalid_characters': {
    code: 'VALIDATION_ERROR',
    en: 'This holds characters that no text may have (NUL or half of a surrogate pair).',
    sk: 'Toto obsahuje znaky, ktoré text nesmie mať (NUL alebo polovicu náhradného páru).',
  },
  'field.not_in_the_future': {
    code: 'VALIDATION_ERROR',
    en: 'This must lie in the future.',
    sk: 'Toto musí byť v budúcnosti.',
  },
  'field.too_long': {
    code: 'VALIDATION_ERROR',
    en: 'At most {max} characters are allowed.',
    sk: 'Povolených je najviac {max} znakov.',
  },
  'field.too_large': {
    code: 'VALIDATION_ERROR',
    en: 'This text is larger than {max} KiB. Shorten it.',
    sk: 'Tento text je väčší ako {max} KiB. Skráťte ho.',
  },
  'field.makes_record_too_large': {
    code: 'VALIDATION_ERROR',
    en: 'With this, the record is larger than {max} KiB. Shorten it.',
    sk: 'S týmto je záznam väčší ako {max} KiB. Skráťte to.',
  },
  'field.too_short': {
    code: 'VALIDATION_ERROR',
    en: 'At least {min} characters are needed.',
    sk: 'Potrebných je aspoň {min} znakov.',
  },
  'field.too_many': {
    code: 'VALIDATION_ERROR',
    en: 'At most {max} entries are allowed.',
    sk: 'Povolených je najviac {max} položiek.',
  },
  'field.too_few': {
    code: 'VALIDATION_ERROR',
    en: 'The number of entries must be at least {min}.',
    sk: 'Počet položiek musí byť aspoň {min}.',
  },
  'field.duplicate': {
    code: 'VALIDATION_ERROR',
    en: 'The same entry stands here twice.',
    sk: 'Tá istá položka je tu dvakrát.',
  },
  'field.too_big': {
    code: 'VALIDATION_ERROR',
    en: 'This must be at most {max}.',
    sk: 'Hodnota môže byť najviac {max}.',
  },
  'field.too_small': {
    code: 'VALIDATION_ERROR',
    en: 'This must be at least {min}.',
    sk: 'Hodnota musí byť aspoň {min}.',
  },
  'field.invalid_email': {
    code: 'VALIDATION_ERROR',
    en: 'This is not an e-mail address.',
    sk: 'Toto nie je e-mailová adresa.',
  },
  'field.invalid_uuid': {
    code: 'VALIDATION_ERROR',
    en: 'This is not an id (UUID).',
    sk: 'Toto nie je identifikátor (UUID).',
  },
  'field.invalid_url': {
    code: 'VALIDATION_ERROR',
    en: 'This is not a web address.',
    sk: 'Toto nie je webová adresa.',
  },
  'field.invalid_date': {
    code: 'VALIDATION_ERROR',
    en: 'This is not a date in the form YYYY-MM-DD.',
    sk: 'Toto nie je dátum v tvare RRRR-MM-DD.',
  },
  'field.invalid_date_time': {
    code: 'VALIDATION_ERROR',
    en: 'This is not a date and time with a time zone, such as 2026-10-01T09:30:00Z.',
    sk: 'Toto nie je dátum a čas s časovým pásmom, napríklad 2026-10-01T09:30:00Z.',
  },
  'field.invalid_country': {
    code: 'VALIDATION_ERROR',
    en: 'This is not a country code of two upper-case letters (ISO 3166-1), such as SK.',
    sk: 'Toto nie je kód krajiny z dvoch veľkých písmen (ISO 3166-1), napríklad SK.',
  },
  'field.invalid_currency': {
    code: 'VALIDATION_ERROR',
    en: 'This is not a currency code of three upper-case letters (ISO 4217), such as EUR.',
    sk: 'Toto nie je kód meny z troch veľkých písmen (ISO 4217), napríklad EUR.',
  },
  'field.invalid_time_zone': {
    code: 'VALIDATION_ERROR',
    en: 'This is not the name of a time zone, such as Europe/Bratislava.',
    sk: 'Toto nie je názov časového pásma, napríklad Europe/Bratislava.',
  },
  'field.invalid_color': {
    code: 'VALIDATION_ERROR',
    en: 'This is not a color of six hexadecimal digits, such as #2f7a5b.',
    sk: 'Toto nie je farba zo šiestich hexadecimálnych číslic, napríklad #2f7a5b.',
  },
  'field.invalid_time': {
    code: 'VALIDATION_ERROR',
    en: 'This is not a time of day in the form HH:MM.',
    sk: 'Toto nie je čas v tvare HH:MM.',
  },
  'field.more_than': {
    code: 'VALIDATION_ERROR',
    en: 'This must be more than {min}.',
    sk: 'Hodnota musí byť väčšia ako {min}.',
  },
  'field.before_start': {
    code: 'VALIDATION_ERROR',
    en: 'The end must not lie before the start.',
    sk: 'Koniec nesmie byť pred začiatkom.',
  },
  'field.before_issue': {
    code: 'VALIDATION_ERROR',
    en: 'The due date must not lie before the issue date.',
    sk: 'Dátum splatnosti nesmie byť pred dátumom vystavenia.',
  },
  'field.client_of_other_company': {
    code: 'VALIDATION_ERROR',
    en: 'This client belongs to another company.',
    sk: 'Tento klient patrí inej firme.',
  },
  'field.stage_of_other_project': {
    code: 'VALIDATION_ERROR',
    en: 'This stage belongs to another project.',
    sk: 'Táto fáza patrí do iného projektu.',
  },
  'field.needs_product': {
    code: 'VALIDATION_ERROR',
    en: 'Say which product this is: send product_uuid or sku.',
    sk: 'Uveďte, o ktorý produkt ide: pošlite product_uuid alebo sku.',
  },
  'field.needs_price': {
    code: 'VALIDATION_ERROR',
    en: 'There is no product with this SKU. Send its unit_price as well.',
    sk: 'Produkt s týmto SKU neexistuje. Pošlite aj unit_price.',
  },
  'field.product_without_price': {
    code: 'VALIDATION_ERROR',
    en: 'This product has no price. Send its unit_price as well.',
    sk: 'Tento produkt nemá cenu. Pošlite aj unit_price.',
  },
  'field.total_too_big': {
    code: 'VALIDATION_ERROR',
    en: 'This comes to more than {max}.',
    sk: 'Súčet je väčší ako {max}.',
  },
  'field.one_primary': {
    code: 'VALIDATION_ERROR',
    en: 'Only one entry can be the primary one.',
    sk: 'Hlavná môže byť len jedna položka.',
  },
  'field.invalid_format': {
    code: 'VALIDATION_ERROR',
    en: 'This does not have the right form.',
    sk: 'Toto nemá správny tvar.',
  },
  'field.invalid_choice': {
    code: 'VALIDATION_ERROR',
    en: 'This must be one of: {choices}.',
    sk: 'Toto musí byť jedna z hodnôt: {choices}.',
  },
  'field.not_found': {
    code: 'VALIDATION_ERROR',
    en: 'There is no such record in this organization.',
    sk: 'Taký záznam v tejto organizácii nie je.',
  },
  'field.stage_of_other_pipeline': {
    code: 'VALIDATION_ERROR',
    en: 'This stage belongs to another pipeline.',
    sk: 'Táto fáza patrí do inej pipeline.',
  },
  'field.no_open_stage': {
    code: 'VALIDATION_ERROR',
    en: 'This pipeline has no open stage. Choose a stage as well.',
    sk: 'Táto pipeline nemá otvorenú fázu. Vyberte aj fázu.',
  },
  'field.no_pipeline': {
    code: 'VALIDATION_ERROR',
    en: 'The organization has no default pipeline. Choose a pipeline.',
    sk: 'Organizácia nemá predvolenú pipeline. Vyberte pipeline.',
  },
  'field.lost_reason_required': {
    code: 'VALIDATION_ERROR',
    en: 'This pipeline asks for a lost reason.',
    sk: 'Táto pipeline vyžaduje dôvod straty.',
  },
  'field.contact_of_other_company': {
    code: 'VALIDATION_ERROR',
    en: 'This contact belongs to another company.',
    sk: 'Tento kontakt patrí inej firme.',
  },
  'field.needs_company': {
    code: 'VALIDATION_ERROR',
    en: 'Say which company this is for: send company_id or company.',
    sk: 'Uveďte, ktorej firmy sa to týka: pošlite company_id alebo company.',
  },
  'field.scopes_beside_purpose': {
    code: 'VALIDATION_ERROR',
    en: 'Scopes are ticked here, but what the key is for gives others. Choose “Something else” to give these alone, or untick them.',
    sk: 'Tu sú vybrané oprávnenia, no účel kľúča dáva iné. Vyberte „Niečo iné“, ak majú platiť iba tieto, alebo ich odznačte.',
  },
  'field.name_taken': {
    code: 'VALIDATION_ERROR',
    en: 'There is already one with this name. Choose another.',
    sk: 'Záznam s týmto názvom už existuje. Zvoľte iný.',
  },
  'field.email_taken': {
    code: 'VALIDATION_ERROR',
    en: 'Somebody of the organization has this e-mail address already.',
    sk: 'Túto e-mailovú adresu už má niekto z organizácie.',
  },
  'field.email_verified': {
    code: 'VALIDATION_ERROR',
    en: 'This e-mail address is verified for somebody else.',
    sk: 'Táto e-mailová adresa je overená pre niekoho iného.',
  },
  'field.email_invited': {
    code: 'VALIDATION_ERROR',
    en: 'This e-mail address is invited already. Send that invitation again, or withdraw it.',
    sk: 'Táto e-mailová adresa už je pozvaná. Pošlite tú pozvánku znova alebo ju stiahnite.',
  },
  'invitation.ended': {
    code: 'NOT_FOUND',
    en: 'This invitation is not valid any more: it was accepted, withdrawn, sent again or has expired. Ask for a new one.',
    sk: 'Táto pozvánka už neplatí: bola prijatá, stiahnutá, poslaná znova alebo jej uplynula platnosť. Požiadajte o novú.',
  },
  'invitation.known': {
    code: 'VALIDATION_ERROR',
    en: 'You sign in here with this address already. Enter the password that you have.',
    sk: 'S touto adresou sa tu už prihlasujete. Zadajte heslo, ktoré máte.',
  },
  'invitation.member': {
    code: 'CONFLICT',
    en: 'Somebody with this address belongs to the organization already. Sign in to it.',
    sk: 'Niekto s touto adresou už patrí do organizácie. Prihláste sa do nej.',
  },
  'field.name_of_owners': {
    code: 'VALIDATION_ERROR',
    en: "This is the name of the owners' role. Choose another.",
    sk: 'Takto sa volá rola vlastníkov. Vyberte iný názov.',
  },
  'field.wrong_password': {
    code: 'VALIDATION_ERROR',
    en: 'This is not your current password.',
    sk: 'Toto nie je vaše súčasné heslo.',
  },
  'field.default_pipeline': {
    code: 'VALIDATION_ERROR',
    en: 'One pipeline is the default. Make another one the default instead.',
    sk: 'Jedna pipeline je predvolená. Namiesto toho nastavte ako predvolenú inú.',
  },
  'field.last_open_stage': {
    code: 'VALIDATION_ERROR',
    en: 'A pipeline needs at least one open stage.',
    sk: 'Pipeline potrebuje aspoň jednu otvorenú fázu.',
  },
  'field.leads_in_stage': {
    code: 'VALIDATION_ERROR',
    en: 'Leads stand in this stage ({count}), so its kind stays. Add a stage of the other kind instead.',
    sk: 'V tejto fáze sú príležitosti ({count}), preto jej druh zostáva. Pridajte radšej fázu iného druhu.',
  },
  'field.leads_need_stage': {
    code: 'VALIDATION_ERROR',
    en: 'Leads stand here ({count}). Choose the stage that they go to.',
    sk: 'Sú tu príležitosti ({count}). Vyberte fázu, do ktorej pôjdu.',
  },
  'field.values_of_type': {
    code: 'VALIDATION_ERROR',
    en: 'Companies have values in this field ({count}), so its type stays. Add another field instead.',
    sk: 'Firmy majú v tomto poli hodnoty ({count}), preto jeho typ zostáva. Pridajte radšej iné pole.',
  },
  'field.either': {
    code: 'VALIDATION_ERROR',
    en: 'Send either {one} or {other}, not both.',
    sk: 'Pošlite buď {one}, alebo {other}, nie oboje.',
  },

  // Records
  'lead.archived': {
    code: 'CONFLICT',
    en: 'The lead is archived and cannot be changed.',
    sk: 'Príležitosť je archivovaná a nedá sa meniť.',
  },
  'record.changed': {
    code: 'CONFLICT',
    en: 'Somebody changed this record in the meantime. Read it again.',
    sk: 'Záznam medzitým niekto zmenil. Načítajte ho znova.',
  },

  'lookup.name_taken': {
    code: 'CONFLICT',
    en: 'There is already one named "{name}". Rename it first.',
    sk: 'Názov „{name}“ už má iný záznam. Najprv ho premenujte.',
  },
  'pipeline.default': {
    code: 'CONFLICT',
    en: 'This is the default pipeline. Make another one the default first.',
    sk: 'Toto je predvolená pipeline. Najprv nastavte ako predvolenú inú.',
  },
  'stage.last_open': {
    code: 'CONFLICT',
    en: 'This is the only open stage of its pipeline. Add another one first.',
    sk: 'Toto je jediná otvorená fáza svojej pipeline. Najprv pridajte inú.',
  },
  'stage.too_many_leads': {
    code: 'CONFLICT',
    en: 'Leads stand here ({count}); at most {max} are moved at once. Move some of them first, for example through the API.',
    sk: 'Sú tu príležitosti ({count}); naraz sa presunie najviac {max}. Najprv niektoré presuňte, napríklad cez API.',
  },
  'project_stage.too_many_tasks': {
    code: 'CONFLICT',
    en: 'Tasks stand here ({count}); at most {max} are moved at once. Move some of them first, for example through the API.',
    sk: 'Sú tu úlohy ({count}); naraz sa presunie najviac {max}. Najprv niektoré presuňte, napríklad cez API.',
  },
  'task.archived': {
    code: 'CONFLICT',
    en: 'The task is archived and cannot be changed.',
    sk: 'Úloha je archivovaná a nedá sa meniť.',
  },
  'invoice.partly_paid': {
    code: 'CONFLICT',
    en: 'Part of the invoice has been paid, so it cannot be cancelled.',
    sk: 'Časť faktúry je už uhradená, preto ju nemožno stornovať.',
  },
  'person.last_owner': {
    code: 'CONFLICT',
    en: 'This is the last active owner of the organization. Make somebody else an owner first.',
    sk: 'Toto je posledný aktívny vlastník organizácie. Najprv urobte vlastníkom niekoho iného.',
  },
  'role.in_use': {
    code: 'CONFLICT',
    en: 'People have this role: {people}. Give them another one first.',
    sk: 'Túto rolu majú ľudia: {people}. Najprv im dajte inú.',
  },
  'client.exists': {
    code: 'CONFLICT',
    en: 'This company is a client already.',
    sk: 'Táto firma už je klientom.',
  },
  'activity.canceled': {
    code: 'CONFLICT',
    en: 'The activity was canceled and cannot be completed.',
    sk: 'Aktivita bola zrušená a nedá sa dokončiť.',
  },
  'booking.overlap': {
    code: 'CONFLICT',
    en: 'The staff member is already booked at that time. Choose another time or another person.',
    sk: 'Pracovník už má v tom čase rezerváciu. Vyberte iný čas alebo inú osobu.',
  },
  'delivery.under_way': {
    code: 'CONFLICT',
    en: 'This delivery is being sent at this moment. Look again in a few seconds.',
    sk: 'Toto doručenie sa práve odosiela. Pozrite sa znova o pár sekúnd.',
  },
  'delivery.all_held': {
    code: 'CONFLICT',
    en: 'Nothing is sent at this time: the operator holds all deliveries.',
    sk: 'Teraz sa nič neposiela: prevádzkovateľ pozastavil všetky doručenia.',
  },
  'delivery.webhook_inactive': {
    code: 'CONFLICT',
    en: 'The webhook is disabled or paused, so nothing can be sent to it now. Enable it first.',
    sk: 'Webhook je vypnutý alebo pozastavený, preto sa naň teraz nedá odosielať. Najprv ho zapnite.',
  },
  'record.wrong_state': {
    code: 'CONFLICT',
    en: 'This is not possible while the state is "{state}".',
    sk: 'V stave „{state}“ to nie je možné.',
  },
  'order.external_id': {
    code: 'CONFLICT',
    en: 'There is already an order with this external_id from {source}.',
    sk: 'Objednávka s týmto external_id zo zdroja {source} už existuje.',
  },
  'product.sku': {
    code: 'CONFLICT',
    en: 'There is already a product with the SKU "{sku}".',
    sk: 'Produkt s SKU „{sku}“ už existuje.',
  },

  // Webhooks
  'event_type.not_found': {
    code: 'NOT_FOUND',
    en: 'There is no event of this type. GET /webhooks/events lists all.',
    sk: 'Udalosť tohto typu neexistuje. Všetky vypíše GET /webhooks/events.',
  },
  'webhook.unknown_event': {
    code: 'UNKNOWN_EVENT',
    en: 'There is no event "{event}". GET /webhooks/events lists all.',
    sk: 'Udalosť „{event}“ neexistuje. Všetky vypíše GET /webhooks/events.',
  },
  'api_key.limit': {
    code: 'LIMIT_EXCEEDED',
    en: 'The organization has reached its maximum of {max} keys. Revoke one that is no longer needed.',
    sk: 'Organizácia dosiahla maximum {max} kľúčov. Zrušte niektorý, ktorý už nepotrebujete.',
  },
  'webhook.limit': {
    code: 'LIMIT_EXCEEDED',
    en: 'The organization has reached its maximum of {max} webhooks. Delete one that is no longer needed.',
    sk: 'Organizácia dosiahla maximum {max} webhookov. Zmažte niektorý, ktorý už nepotrebujete.',
  },
  'listen.limit': {
    code: 'LIMIT_EXCEEDED',
    en: 'This API key already has {max} streams of events open. End one of them, or use another key.',
    sk: 'Tento API kľúč už má otvorené {max} prúdy udalostí. Ukončite niektorý z nich alebo použite iný kľúč.',
  },
  'webhook.url_malformed': {
    code: 'WEBHOOK_URL_INVALID',
    en: 'target_url is not a web address.',
    sk: 'target_url nie je webová adresa.',
  },
  'webhook.url_too_long': {
    code: 'WEBHOOK_URL_INVALID',
    en: 'target_url is longer than {max} characters.',
    sk: 'target_url je dlhšia ako {max} znakov.',
  },
  'webhook.url_not_https': {
    code: 'WEBHOOK_URL_INVALID',
    en: 'target_url must start with https://.',
    sk: 'target_url sa musí začínať https://.',
  },
  'webhook.url_user_information': {
    code: 'WEBHOOK_URL_INVALID',
    en: 'target_url must not hold a user name or password.',
    sk: 'target_url nesmie obsahovať meno používateľa ani heslo.',
  },
  'webhook.url_port': {
    code: 'WEBHOOK_URL_INVALID',
    en: 'target_url may use port 443 or a port from 1024 up.',
    sk: 'target_url môže použiť port 443 alebo porty od 1024 vyššie.',
  },
  'webhook.url_unresolvable': {
    code: 'WEBHOOK_URL_INVALID',
    en: 'The host of target_url cannot be found.',
    sk: 'Server z target_url sa nedá nájsť.',
  },
  'webhook.url_blocked': {
    code: 'WEBHOOK_URL_BLOCKED',
    en: 'The host of target_url is private or internal. Use a public address, or ask the operator to allow it.',
    sk: 'Server z target_url je súkromný alebo interný. Použite verejnú adresu alebo požiadajte prevádzkovateľa o povolenie.',
  },

  // Faults
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
} as const satisfies Catalogue;

export type MessageKey = keyof typeof messages;

/** The finished sentence; placeholders that have no value stay visible rather than vanish. */
export function message(
  key: MessageKey,
  language: Language,
  values: Readonly<Record<string, string | number | Text>> = {},
): string {
  return messages[key][language].replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? whole;
    return typeof value === 'object' ? value[language] : String(value);
  });
}
