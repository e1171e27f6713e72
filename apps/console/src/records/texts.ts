import { type Text, text } from '@dealkeep/contract';
import { formTexts } from '../forms/texts.ts';
import { sayFrom, sharedTexts } from '../texts.ts';

/** What the pages of records say. */
export const recordTexts = {
  add: text('Add', 'Pridať'),
  saved: text('Saved.', 'Uložené.'),
  done: text('Done: {step}', 'Hotovo: {step}'),
  filters: text('Filters', 'Filtre'),
  apply: text('Apply', 'Použiť'),
  removeFilter: text('Remove', 'Odstrániť'),
  clearFilters: text('Clear all', 'Zrušiť všetky'),
  previousPage: text('Previous', 'Predchádzajúca'),
  nextPage: text('Next', 'Ďalšia'),
  range: text('{from}–{to} of {total}', '{from}–{to} z {total}'),
  rangeOfMore: text('{from}–{to} of more than {total}', '{from}–{to} z viac ako {total}'),
  firstPage: text('First page', 'Prvá stránka'),
  nothingFits: text('Nothing fits these filters.', 'Týmto filtrom nič nevyhovuje.'),
  toKeys: text('Connect Zapier, n8n or Activepieces', 'Pripojiť Zapier, n8n alebo Activepieces'),
  whatNow: text('What to do', 'Čo urobiť'),
  print: text('Print', 'Tlačiť'),
  open: text('Open', 'Otvoriť'),
  exportCsv: text('Export as CSV', 'Exportovať do CSV'),
  importCsv: text('Import from CSV', 'Importovať z CSV'),
  board: text('Board', 'Nástenka'),
  calendar: text('Calendar', 'Kalendár'),
  searchTitle: text('Search', 'Hľadanie'),
  searchTitleFor: text('Search: {q}', 'Hľadanie: {q}'),
  searchHint: text(
    'Type a name, a number or a part of it above, or a whole e-mail address or phone number.',
    'Hore napíšte názov, číslo alebo ich časť, alebo celú e-mailovú adresu či telefónne číslo.',
  ),
  searchResult: text('Found', 'Nájdené'),
  searchKind: text('Kind', 'Druh'),
  searchDetails: text('Details', 'Podrobnosti'),
  searchOnly: text('Only: {what}', 'Len: {what}'),
  searchEverything: text('Search everything', 'Hľadať vo všetkom'),
  nothingFound: text('Nothing was found.', 'Nič sa nenašlo.'),
  allResults: text('All results: {what}', 'Všetky výsledky: {what}'),
  sort: text('Sort', 'Zoradiť'),
  fromA: text('A to Z', 'od A po Z'),
  fromZ: text('Z to A', 'od Z po A'),
  earliestFirst: text('earliest first', 'najskoršie prvé'),
  latestFirst: text('latest first', 'najneskoršie prvé'),
  lowestFirst: text('lowest first', 'najnižšie prvé'),
  highestFirst: text('highest first', 'najvyššie prvé'),
} as const satisfies Record<string, Text>;

/** The texts of the pages of records in a language. */
export const recordSay = sayFrom({ ...sharedTexts, ...formTexts, ...recordTexts });
