import type { Language, Text } from '@dealkeep/contract';

/** The page's own words. What belongs to a field, an operation or an event comes from the contract. */
const words = {
  title: { en: 'Dealkeep API reference', sk: 'Referencia Dealkeep API' },
  contents: { en: 'Contents', sk: 'Obsah' },
  skip: { en: 'Skip to the content', sk: 'Preskočiť na obsah' },
  guide: { en: 'Guide', sk: 'Príručka' },
  reference: { en: 'Operations', sk: 'Operácie' },
  version: { en: 'version', sk: 'verzia' },
  description: { en: 'OpenAPI 3.1 description', sk: 'Opis OpenAPI 3.1' },
  record: { en: 'The record', sk: 'Záznam' },
  pathParameters: { en: 'In the path', sk: 'V adrese' },
  queryParameters: { en: 'Query parameters', sk: 'Parametre' },
  body: { en: 'Body', sk: 'Telo požiadavky' },
  noFieldRequired: {
    en: 'No field is required; the body can be left out.',
    sk: 'Žiadne pole nie je povinné; telo možno vynechať.',
  },
  answer: { en: 'Answer', sk: 'Odpoveď' },
  errors: { en: 'Errors', sk: 'Chyby' },
  emits: { en: 'Events', sk: 'Udalosti' },
  request: { en: 'Request', sk: 'Požiadavka' },
  scope: { en: 'Scope', sk: 'Oprávnenie' },
  anyScope: { en: 'any credential', sk: 'akýkoľvek prístup' },
  noLegacyKeys: { en: 'Not for legacy keys.', sk: 'Nie pre staré kľúče.' },
  required: { en: 'required', sk: 'povinné' },
  orNull: { en: 'or null', sk: 'alebo null' },
  listOf: { en: 'list of', sk: 'zoznam hodnôt' },
  sometimes: { en: 'not always present', sk: 'nie je vždy prítomné' },
  oneOf: { en: 'One of', sk: 'Jedna z hodnôt' },
  example: { en: 'Example', sk: 'Príklad' },
  atMost: { en: 'at most', sk: 'najviac' },
  atLeast: { en: 'at least', sk: 'aspoň' },
  moreThan: { en: 'more than', sk: 'viac ako' },
  to: { en: 'to', sk: 'až' },
  characters: { en: 'characters', sk: 'znakov' },
  entries: { en: 'entries', sk: 'položiek' },
  dependsOn: { en: 'Depends on', sk: 'Závisí od' },
  chosenFrom: { en: 'An id from', sk: 'ID zo zoznamu' },
  events: { en: 'Event catalog', sk: 'Katalóg udalostí' },
  sample: { en: 'Sample delivery', sk: 'Vzorové doručenie' },
  dataIs: { en: 'Its data is the record:', sk: 'Jej data je záznam:' },
  errorCodes: { en: 'Error codes', sk: 'Kódy chýb' },
  status: { en: 'Status', sk: 'Stav' },
  code: { en: 'Code', sk: 'Kód' },
  meaning: { en: 'Messages', sk: 'Správy' },
  conflictingField: {
    en: 'Alone, this would be 409 CONFLICT, with the same message.',
    sk: 'Samo osebe by to bol 409 CONFLICT s rovnakou správou.',
  },
  fieldCodes: { en: 'Codes of failing fields', sk: 'Kódy chybných polí' },
  scopes: { en: 'Scopes', sk: 'Oprávnenia' },
  list: { en: 'a page:', sk: 'stránka:' },
  bare: { en: 'a bare array of envelopes', sk: 'pole obálok' },
  filteredBy: { en: 'A hook can filter it by', sk: 'Hook ju môže filtrovať podľa' },
  changedFields: { en: 'The envelope names what changed in', sk: 'Zmenené polia uvádza obálka v' },
  these: { en: 'these fields:', sk: 'tieto polia:' },
  without: { en: 'without', sk: 'bez' },
  besides: { en: 'Besides the record:', sk: 'Okrem záznamu:' },
  empty: { en: 'no body', sk: 'bez tela' },
  otherLanguage: { en: 'Slovensky', sk: 'In English' },
} as const satisfies Record<string, Text>;

export type Word = keyof typeof words;

/** The page's words in one language. */
export const wordsIn =
  (language: Language) =>
  (word: Word): string =>
    words[word][language];
