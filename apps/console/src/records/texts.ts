import { type Text, text } from '@dealkeep/contract';
import { formTexts } from '../forms/texts.ts';
import { sayFrom, sharedTexts } from '../texts.ts';

const recordTexts = {
  add: text('Add', 'Pridať'),
  create: text('Create {what}', 'Vytvoriť: {what}'),
  saved: text('Saved.', 'Uložené.'),
  done: text('Done: {step}', 'Hotovo: {step}'),
  moreFilters: text('More filters', 'Ďalšie filtre'),
  firstPage: text('First page', 'Prvá stránka'),
  nothingFits: text('Nothing fits these filters.', 'Týmto filtrom nič nevyhovuje.'),
  toKeys: text('Connect Zapier or n8n', 'Pripojiť Zapier alebo n8n'),
  lacking: text('Not filled in', 'Nevyplnené'),
  related: text('Related', 'Súvisiace'),
  whatNow: text('What to do', 'Čo urobiť'),
  open: text('Open', 'Otvoriť'),
  board: text('Board', 'Nástenka'),
  list: text('List', 'Zoznam'),
  boardTitle: text('Leads: board', 'Príležitosti: nástenka'),
  moveTo: text('Move to', 'Presunúť do'),
  move: text('Move', 'Presunúť'),
  moreInStage: text('All of this stage', 'Všetky v tejto fáze'),
  noPipeline: text('There is no pipeline yet.', 'Zatiaľ tu nie je žiadna pipeline.'),
  pipeline: text('Pipeline', 'Pipeline'),
  searchTitle: text('Search', 'Hľadanie'),
  searchTitleFor: text('Search: {q}', 'Hľadanie: {q}'),
  searchHint: text(
    'Type a name, a number or a part of it above.',
    'Hore napíšte názov, číslo alebo ich časť.',
  ),
  nothingFound: text('Nothing was found.', 'Nič sa nenašlo.'),
  allResults: text('All results: {what}', 'Všetky výsledky: {what}'),
  ascending: text('ascending', 'vzostupne'),
  descending: text('descending', 'zostupne'),
} as const satisfies Record<string, Text>;

/** The texts of the pages of records in a language. */
export const recordSay = sayFrom({ ...sharedTexts, ...formTexts, ...recordTexts });
