import type { Catalogue } from '../errors.ts';

/** Of who asks: keys, connections, roles, and signing in. */
export const credentialMessages = {
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
  'credential.malformed': {
    code: 'UNAUTHORIZED',
    en: 'The header Authorization must read Bearer <API_KEY>: the word, a space, and the key as it was shown.',
    sk: 'Hlavička Authorization musí znieť Bearer <API_KEY>: to slovo, medzera a kľúč tak, ako bol zobrazený.',
  },
  'credential.invalid': {
    code: 'UNAUTHORIZED',
    en: 'The API key or access token is not valid: it is unknown, has expired or was revoked.',
    sk: 'API kľúč alebo prístupový token nie je platný: je neznámy, vypršal alebo bol zrušený.',
  },
  'credential.resource': {
    code: 'UNAUTHORIZED',
    en: 'This access token is for another address of the service. Connect again, and name this address as the resource.',
    sk: 'Tento prístupový token platí pre inú adresu služby. Pripojte sa znova a ako resource uveďte túto adresu.',
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
  'credential.owners_key': {
    code: 'FORBIDDEN',
    en: 'Only an API key of an owner of the organization can do this, no connected application. Use such a key, or do it in the console.',
    sk: 'Toto môže iba API kľúč vlastníka organizácie, nie pripojená aplikácia. Použite taký kľúč alebo to urobte v konzole.',
  },
  'assistants.off': {
    code: 'FORBIDDEN',
    en: 'AI assistants are switched off here. An owner switches them on in the console: for the organization under Settings → Organization, for one key under Integrations → API keys.',
    sk: 'AI asistenti sú tu vypnutí. Zapne ich vlastník v konzole: pre organizáciu v časti Nastavenia → Organizácia, pre jeden kľúč v časti Integrácie → API kľúče.',
  },
  'assistants.set_off': {
    code: 'FORBIDDEN',
    en: 'The tools of {set} are switched off for AI assistants here. An owner switches them on in the console: for the organization under Settings → Organization, for one key under Integrations → API keys.',
    sk: 'Nástroje skupiny {set} sú tu pre AI asistentov vypnuté. Zapne ich vlastník v konzole: pre organizáciu v časti Nastavenia → Organizácia, pre jeden kľúč v časti Integrácie → API kľúče.',
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
  'organization.moving': {
    code: 'SERVICE_UNAVAILABLE',
    en: 'The organization is being moved to another server, so nothing can be changed for a while. Try again shortly.',
    sk: 'Organizácia sa práve presúva na iný server, preto sa chvíľu nedá nič meniť. Skúste to o chvíľu.',
  },
  'organization.moved': {
    code: 'SERVICE_UNAVAILABLE',
    en: 'The organization was moved to another server. Its address leads there shortly; try again then.',
    sk: 'Organizácia bola presunutá na iný server. Jej adresa tam o chvíľu povedie; skúste to potom.',
  },
  'organization.moved_to': {
    code: 'SERVICE_UNAVAILABLE',
    en: 'The organization was moved. It is at {address} now.',
    sk: 'Organizácia bola presunutá. Teraz je na adrese {address}.',
  },
} as const satisfies Catalogue;
