import {
  apiVersion,
  attemptDelaysSeconds,
  basePath,
  limits,
  mcpPath,
  oauthPaths,
  type Text,
} from '@dealkeep/contract';

/** A chapter of the guide. Backticks mark code; `code` is a block to paste. */
export interface Chapter {
  readonly id: string;
  readonly title: Text;
  readonly paragraphs: readonly Text[];
  readonly code?: string;
}

/** What differs from one installation to another. */
export interface Site {
  /** Without a trailing slash. */
  readonly origin: string;
  readonly keyPrefix: string;
  /** The default limits. */
  readonly requestsPerMinute: number;
  readonly organizationRequestsPerMinute: number;
}

/** What a description of single operations cannot say: how all of them are called. Also the text of llms.txt. */
export const guide = ({ origin, keyPrefix, ...site }: Site): readonly Chapter[] => [
  {
    id: 'getting-started',
    title: { en: 'Getting started', sk: 'Začíname' },
    paragraphs: [
      {
        en: `A JSON API over HTTPS for companies, contacts, leads, activities, tasks, invoices, bookings, orders and products. All addresses are below \`${origin}${basePath}\`. The organization follows from the credential; no address names it.`,
        sk: `JSON API cez HTTPS pre firmy, kontakty, príležitosti, aktivity, úlohy, faktúry, rezervácie, objednávky a produkty. Všetky adresy sú pod \`${origin}${basePath}\`. Organizácia vyplýva z prístupu; žiadna adresa ju neuvádza.`,
      },
      {
        en: 'Put your API key into `DEALKEEP_KEY`; then every command on this page works as it stands, with ids of your own in place of those of the examples.',
        sk: 'Vložte svoj API kľúč do `DEALKEEP_KEY`; potom každý príkaz na tejto stránke funguje tak, ako je, len namiesto ID z príkladov použite svoje.',
      },
    ],
    code: `export DEALKEEP_KEY=${keyPrefix}…\ncurl -H "Authorization: Bearer $DEALKEEP_KEY" '${origin}${basePath}/me'`,
  },
  {
    id: 'authentication',
    title: { en: 'Authentication', sk: 'Prihlásenie' },
    paragraphs: [
      {
        en: 'Send `Authorization: Bearer <API key>`. Live keys start with `dk_live_`, keys of the test environment with `dk_test_`; a key is shown once, when it is made. A key holds scopes, and each operation names the one it needs.',
        sk: 'Posielajte `Authorization: Bearer <API kľúč>`. Ostré kľúče sa začínajú na `dk_live_`, kľúče testovacieho prostredia na `dk_test_`; kľúč sa zobrazí raz, pri vytvorení. Kľúč má oprávnenia a každá operácia uvádza to, ktoré potrebuje.',
      },
      {
        en: `An application that people connect to their own account sends an OAuth access token (\`dk_oat_\`, one hour) instead: authorization code with PKCE (S256), described at \`${origin}${oauthPaths.authorizationServer}\`. An operator registers it (\`dealkeep oauth-apps create\`). What it can do is what both its scopes and the role of the person permit, for all records.`,
        sk: `Aplikácia, ktorú si ľudia pripájajú k vlastnému účtu, posiela namiesto neho prístupový token OAuth (\`dk_oat_\`, jedna hodina): autorizačný kód s PKCE (S256), opis je na \`${origin}${oauthPaths.authorizationServer}\`. Registruje ju prevádzkovateľ (\`dealkeep oauth-apps create\`). Smie to, čo povoľujú jej oprávnenia aj rola človeka, pre všetky záznamy.`,
      },
      {
        en: 'Checks run in this order, and the first that fails answers: credential (401), rate limit (429), owner (422), subscription (402), legacy key, scope and role (403), idempotency, path (404), query (400), body (422).',
        sk: 'Kontroly prebiehajú v tomto poradí a odpovie prvá neúspešná: prístup (401), limit požiadaviek (429), vlastník (422), predplatné (402), starý kľúč, oprávnenie a rola (403), idempotencia, adresa (404), parametre (400), telo (422).',
      },
    ],
  },
  {
    id: 'requests',
    title: { en: 'Requests and answers', sk: 'Požiadavky a odpovede' },
    paragraphs: [
      {
        en: `Bodies are JSON objects with \`Content-Type: application/json\` (a \`PATCH\` also \`application/merge-patch+json\`), at most ${limits.bodyBytes / 1024 / 1024} MiB; unknown fields are refused. One record comes as \`{"data": {…}}\`, a list as \`{"data": […], "next_cursor": …, "has_more": …}\`.`,
        sk: `Telo je objekt JSON s \`Content-Type: application/json\` (\`PATCH\` aj \`application/merge-patch+json\`), najviac ${limits.bodyBytes / 1024 / 1024} MiB; neznáme polia sa odmietnu. Jeden záznam príde ako \`{"data": {…}}\`, zoznam ako \`{"data": […], "next_cursor": …, "has_more": …}\`.`,
      },
      {
        en: 'Updates are `PATCH`: an absent field stays, `null` clears. Dates are `YYYY-MM-DD`; moments are RFC 3339 with any offset, shown in UTC. Amounts are JSON numbers with the decimals of their currency (ISO 4217: JPY 0, EUR 2, KWD 3), rounded half away from zero.',
        sk: 'Zmeny sú `PATCH`: chýbajúce pole ostáva, `null` ho vyprázdni. Dátumy sú `YYYY-MM-DD`; časy sú RFC 3339 s akýmkoľvek posunom, zobrazené v UTC. Sumy sú čísla JSON s desatinnými miestami svojej meny (ISO 4217: JPY 0, EUR 2, KWD 3), polovica sa zaokrúhľuje od nuly.',
      },
      {
        en: 'One record carries an `ETag`. `If-None-Match` with it answers a GET with 304 while nothing changed; `If-Match` on a PATCH or a step refuses with 412 `PRECONDITION_FAILED` when somebody changed the record since.',
        sk: 'Jeden záznam má `ETag`. `If-None-Match` s ním vráti na GET 304, kým sa nič nezmenilo; `If-Match` pri PATCH alebo kroku odmietne zmenu s 412 `PRECONDITION_FAILED`, ak záznam medzitým niekto zmenil.',
      },
      {
        en: '`Accept-Language: sk` or `cs` gives messages in Slovak, anything else in English. Every answer carries `X-Request-Id`, yours when you send one, which finds the request in the operator’s log; errors repeat it as `request_id`. Answers above 1 KiB are compressed (`br`, `gzip`) for who takes it.',
        sk: '`Accept-Language: sk` alebo `cs` dá správy po slovensky, čokoľvek iné po anglicky. Každá odpoveď má `X-Request-Id`, váš vlastný, ak ho pošlete, podľa ktorého prevádzkovateľ nájde požiadavku v logu; chyby ho opakujú ako `request_id`. Odpovede nad 1 KiB sa komprimujú (`br`, `gzip`) pre toho, kto to prijíma.',
      },
    ],
  },
  {
    id: 'lists',
    title: { en: 'Lists and pages', sk: 'Zoznamy a stránky' },
    paragraphs: [
      {
        en: `\`limit\` is 1 to ${limits.pageSizeMaximum}, ${limits.pageSizeDefault} when absent. While \`has_more\` is true, ask again with \`cursor\` set to \`next_cursor\` and all other parameters the same; only \`limit\` may change. Records inserted meanwhile are neither skipped nor repeated.`,
        sk: `\`limit\` je 1 až ${limits.pageSizeMaximum}, bez neho ${limits.pageSizeDefault}. Kým má \`has_more\` hodnotu \`true\`, pýtajte sa znova s \`cursor\` rovným \`next_cursor\` a s rovnakými ostatnými parametrami; meniť sa smie len \`limit\`. Záznamy vložené medzitým sa nevynechajú ani nezopakujú.`,
      },
      {
        en: '`created_after` and `updated_since` bring what is new since the last time. Filters are exact; those by ids and enumerations take several values, separated by commas (`status=open,won`); `q` searches in the names. An unknown parameter is an error, not ignored.',
        sk: '`created_after` a `updated_since` prinesú, čo je nové od minula. Filtre sú presné; tie podľa ID a vymenovaných hodnôt berú aj viaceré hodnoty oddelené čiarkami (`status=open,won`); `q` hľadá v názvoch. Neznámy parameter je chyba, neignoruje sa.',
      },
    ],
    code: `curl -H "Authorization: Bearer $DEALKEEP_KEY" '${origin}${basePath}/leads?status=open&sort=-updated_at&limit=10'`,
  },
  {
    id: 'idempotency',
    title: { en: 'Repeating a POST safely', sk: 'Bezpečné opakovanie POST' },
    paragraphs: [
      {
        en: `Send an \`Idempotency-Key\` of at most ${limits.idempotencyKeyLength} characters with every POST that you may repeat. A repeat within ${limits.idempotencyRetentionHours} hours answers what the first request answered, with \`Idempotent-Replayed: true\`, and changes nothing. The same key with another body is \`IDEMPOTENCY_KEY_REUSED\`.`,
        sk: `S každým POST, ktorý možno zopakujete, pošlite \`Idempotency-Key\` s najviac ${limits.idempotencyKeyLength} znakmi. Opakovanie do ${limits.idempotencyRetentionHours} hodín vráti to, čo prvá požiadavka, s \`Idempotent-Replayed: true\`, a nič nezmení. Ten istý kľúč s iným telom je \`IDEMPOTENCY_KEY_REUSED\`.`,
      },
      {
        en: 'Retry 429 after `Retry-After`, 5xx and network errors with growing pauses; other 4xx stay what they are until the request changes.',
        sk: '429 opakujte po `Retry-After`, 5xx a chyby siete s rastúcimi prestávkami; ostatné 4xx sa nezmenia, kým nezmeníte požiadavku.',
      },
    ],
  },
  {
    id: 'rate-limits',
    title: { en: 'Rate limits', sk: 'Limity požiadaviek' },
    paragraphs: [
      {
        en: `${site.requestsPerMinute} requests a minute for a credential and ${site.organizationRequestsPerMinute} for an organization, unless agreed otherwise; \`GET /me\` says the real values. Every answer carries \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (seconds); a 429 adds \`Retry-After\`.`,
        sk: `${site.requestsPerMinute} požiadaviek za minútu na prístup a ${site.organizationRequestsPerMinute} na organizáciu, ak nie je dohodnuté inak; skutočné hodnoty povie \`GET /me\`. Každá odpoveď má \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` a \`X-RateLimit-Reset\` (sekundy); 429 pridá \`Retry-After\`.`,
      },
    ],
  },
  {
    id: 'versions',
    title: { en: 'Versions', sk: 'Verzie' },
    paragraphs: [
      {
        en: `This is version \`${apiVersion}\`, as \`X-Service-Api-Version\` says on every answer. Ignore fields and events that you do not know, do not rely on the order of keys, and branch on statuses and error codes, never on messages.`,
        sk: `Toto je verzia \`${apiVersion}\`, ako hovorí \`X-Service-Api-Version\` v každej odpovedi. Neznáme polia a udalosti ignorujte, nespoliehajte sa na poradie kľúčov a rozhodujte sa podľa stavov a kódov chýb, nikdy podľa správ.`,
      },
    ],
  },
  {
    id: 'receiving-events',
    title: { en: 'Receiving events', sk: 'Prijímanie udalostí' },
    paragraphs: [
      {
        en: 'Subscribe with `POST /webhooks` and a key that has `webhooks:manage` and the read scope of each event. The answer holds the signing secret (`whsec_…`), once. Each event then comes as a POST with the envelope as its body; `data` is the record exactly as its GET answers it.',
        sk: 'Odoberajte cez `POST /webhooks` s kľúčom, ktorý má `webhooks:manage` a oprávnenie na čítanie každej udalosti. Odpoveď obsahuje podpisový kľúč (`whsec_…`), iba raz. Každá udalosť potom príde ako POST s obálkou v tele; `data` je záznam presne taký, aký vráti jeho GET.',
      },
      {
        en: `Answer any 2xx within ${limits.deliveryTimeoutSeconds} seconds. Anything else, redirects included, is tried again, ${limits.deliveryAttempts} times in all, after ${delays('en')}. 410 ends the subscription. Delivery is at least once and may be out of order: drop a \`webhook-id\` that you have seen.`,
        sk: `Odpovedzte 2xx do ${limits.deliveryTimeoutSeconds} sekúnd. Všetko ostatné vrátane presmerovaní sa skúša znova, spolu ${limits.deliveryAttempts}-krát, po ${delays('sk')}. 410 odber ukončí. Doručenie je aspoň raz a poradie sa môže zmeniť: už videné \`webhook-id\` zahoďte.`,
      },
      {
        en: 'Headers: `webhook-id` (the event’s id, the same on every attempt), `webhook-timestamp` (seconds), `webhook-signature` (Standard Webhooks), `X-Service-Event`, `X-Service-Attempt`, `X-Service-Signature` (`sha256=` and the hex HMAC-SHA256 of the body). Verify the signature on the raw body, before parsing.',
        sk: 'Hlavičky: `webhook-id` (ID udalosti, rovnaké pri každom pokuse), `webhook-timestamp` (sekundy), `webhook-signature` (Standard Webhooks), `X-Service-Event`, `X-Service-Attempt`, `X-Service-Signature` (`sha256=` a HMAC-SHA256 tela v šestnástkovej sústave). Podpis overte na pôvodnom tele, pred čítaním JSON.',
      },
    ],
    code: `import { verifyWebhook } from '@dealkeep/client';

const event = await verifyWebhook(rawBody, request.headers, process.env.DEALKEEP_WEBHOOK_SECRET);`,
  },
  {
    id: 'ai-assistants',
    title: { en: 'AI assistants', sk: 'AI asistenti' },
    paragraphs: [
      {
        en: `Assistants do not need this API: they connect to the MCP server at \`${origin}${mcpPath}\` (Streamable HTTP), with the same keys, or with tokens for that address. Each operation but batches is a tool there, which takes names where this API takes ids.`,
        sk: `Asistenti toto API nepotrebujú: pripoja sa na server MCP na \`${origin}${mcpPath}\` (Streamable HTTP), s tými istými kľúčmi alebo s tokenmi pre túto adresu. Každá operácia okrem dávok je tam nástrojom, ktorý berie názvy tam, kde toto API berie ID.`,
      },
    ],
  },
];

/** The pauses before each further attempt: `5 s, 5 min, 30 min, …` */
function delays(language: 'en' | 'sk'): string {
  const shown = attemptDelaysSeconds.slice(1).map((seconds) => {
    if (seconds < 60) return `${seconds} s`;
    return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
  });
  return `${shown.slice(0, -1).join(', ')} ${language === 'en' ? 'and' : 'a'} ${shown.at(-1)}`;
}
