import type { Catalogue } from '../errors.ts';

/** Of one field or another of what was sent. */
export const fieldMessages = {
  'fields.invalid': {
    code: 'VALIDATION_ERROR',
    en: 'Some fields are not valid: {fields}.',
    sk: 'Niektoré polia nie sú platné: {fields}.',
  },
  'field.required': { code: 'VALIDATION_ERROR', en: 'This field is required.', sk: 'Toto pole je povinné.' },
  'field.empty': { code: 'VALIDATION_ERROR', en: 'This must not be empty.', sk: 'Toto nesmie byť prázdne.' },
  'field.cannot_be_seen': {
    code: 'VALIDATION_ERROR',
    en: 'Nothing of this name can be seen. Enter one with at least one visible sign.',
    sk: 'Z tohto názvu nie je nič vidieť. Zadajte taký, ktorý má aspoň jeden viditeľný znak.',
  },
  'field.due_before_start': {
    code: 'VALIDATION_ERROR',
    en: 'The due date must not lie before the start date.',
    sk: 'Termín nesmie byť pred dátumom začiatku.',
  },
  'field.needs_due_date': {
    code: 'VALIDATION_ERROR',
    en: 'A due time needs a due date. Send due_date as well, or no due_time.',
    sk: 'Čas termínu potrebuje dátum. Pošlite aj due_date alebo vynechajte due_time.',
  },
  'field.discount_too_large': {
    code: 'VALIDATION_ERROR',
    en: 'The discount is larger than everything else of the order, so its total would be below zero. Lower it.',
    sk: 'Zľava je väčšia ako všetko ostatné v objednávke, takže suma by bola záporná. Znížte ju.',
  },
  'field.unknown': {
    code: 'VALIDATION_ERROR',
    en: 'No such field is taken here. Check its spelling.',
    sk: 'Také pole sa tu neprijíma. Skontrolujte jeho názov.',
  },
  'field.invalid_type': {
    code: 'VALIDATION_ERROR',
    en: 'This must be {type}.',
    sk: 'Toto musí byť {type}.',
  },
  'field.parts_of_minor_units': {
    code: 'VALIDATION_ERROR',
    en: 'Amounts in {currency} have at most {decimals} decimals. Round this.',
    sk: 'Sumy v mene {currency} majú najviac desatinných miest: {decimals}. Zaokrúhlite túto sumu.',
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
  'field.in_the_future': {
    code: 'VALIDATION_ERROR',
    en: 'This must not lie in the future.',
    sk: 'Toto nesmie byť v budúcnosti.',
  },
  'field.before_log': {
    code: 'VALIDATION_ERROR',
    en: 'Deliveries are kept for {days} days. Choose a later moment.',
    sk: 'Doručenia sa uchovávajú {days} dní. Zvoľte neskorší čas.',
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
  'field.sent_twice': {
    code: 'VALIDATION_ERROR',
    en: 'This was sent more than once. Send it once.',
    sk: 'Toto bolo poslané viackrát. Pošlite to raz.',
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
  'field.too_many_days': {
    code: 'VALIDATION_ERROR',
    en: 'At most {max} days can be asked about at once. Choose an earlier end.',
    sk: 'Naraz sa dá pýtať najviac na {max} dní. Zvoľte skorší koniec.',
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
  'field.no_such_tag': {
    code: 'VALIDATION_ERROR',
    en: 'There is no tag "{name}", and this organization does not let programs make tags. Add it in the console.',
    sk: 'Štítok „{name}“ neexistuje a táto organizácia nedovoľuje programom vytvárať štítky. Pridajte ho v konzole.',
  },
  'field.too_many_tags': {
    code: 'VALIDATION_ERROR',
    en: 'The record would have more than {max} tags.',
    sk: 'Záznam by mal viac ako {max} štítkov.',
  },
  'field.tags_used_up': {
    code: 'VALIDATION_ERROR',
    en: 'This would make new tags, and the organization can have {max} of them. Use tags that there are, or remove some in the console.',
    sk: 'Týmto by vznikli nové štítky a organizácia ich môže mať najviac {max}. Použite existujúce alebo niektoré odstráňte v konzole.',
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
    en: 'This pipeline asks for a lost reason. Send lost_reason_id as well.',
    sk: 'Táto pipeline vyžaduje dôvod straty. Pošlite aj lost_reason_id.',
  },
  'field.only_of_lost_leads': {
    code: 'VALIDATION_ERROR',
    en: 'Only a lost lead has this. Leave it out, or send the stage_id of a lost stage as well.',
    sk: 'Toto má len prehratá príležitosť. Vynechajte to alebo pošlite aj stage_id prehratej fázy.',
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
  'field.not_of_event': {
    code: 'VALIDATION_ERROR',
    en: 'The event {event} does not have the field {field}.',
    sk: 'Udalosť {event} nemá pole {field}.',
  },
  'field.not_watchable': {
    code: 'VALIDATION_ERROR',
    en: 'The event {event} does not tell of a change of {field}.',
    sk: 'Udalosť {event} nehovorí o zmene poľa {field}.',
  },
  'field.needs_updated_event': {
    code: 'VALIDATION_ERROR',
    en: 'This needs an event that tells of a change, such as lead.updated.',
    sk: 'Toto potrebuje udalosť o zmene, napríklad lead.updated.',
  },
  'field.invalid_header_name': {
    code: 'VALIDATION_ERROR',
    en: 'The name of a header holds letters, digits and signs such as - and _, and no spaces.',
    sk: 'Názov hlavičky tvoria písmená bez diakritiky, číslice a znaky ako - a _, bez medzier.',
  },
  'field.reserved_header': {
    code: 'VALIDATION_ERROR',
    en: 'This header is set by Dealkeep or belongs to the connection. Choose another name.',
    sk: 'Túto hlavičku nastavuje Dealkeep alebo patrí k spojeniu. Zvoľte iný názov.',
  },
  'field.invalid_header_value': {
    code: 'VALIDATION_ERROR',
    en: 'The value of a header is one line of printable ASCII without spaces at its ends.',
    sk: 'Hodnota hlavičky je jeden riadok znakov ASCII bez medzier na začiatku a na konci.',
  },
  'field.either': {
    code: 'VALIDATION_ERROR',
    en: 'Send either {one} or {other}, not both.',
    sk: 'Pošlite buď {one}, alebo {other}, nie oboje.',
  },
} as const satisfies Catalogue;
