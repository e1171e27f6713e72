import { type Text, text } from '@dealkeep/contract';
import { doneNoticeFrom, sayFrom, sharedTexts } from '../../texts.ts';

const lookupTexts = {
  lists: text('Lists', 'Zoznamy'),
  listsAbout: text(
    'What can be chosen in records. The API, Zapier, n8n and Activepieces know of a change at once.',
    'Čo sa dá v záznamoch vybrať. API, Zapier, n8n a Activepieces vedia o zmene hneď.',
  ),
  add: text('Add: {what}', 'Pridať: {what}'),
  actions: text('Actions', 'Akcie'),
  name: text('Name', 'Názov'),
  remove: text('Remove', 'Odstrániť'),
  removeTitle: text('Remove: {name}', 'Odstrániť: {name}'),
  archive: text('Archive', 'Archivovať'),
  archiveTitle: text('Archive: {name}', 'Archivovať: {name}'),
  unused: text(
    'No record has it, so nothing is lost. This cannot be undone.',
    'Nemá ho žiadny záznam, takže sa nič nestratí. Nedá sa to vrátiť.',
  ),
  noTarget: text(
    'There is no other stage of this kind for them. Add one first.',
    'Niet pre ne inej fázy tohto druhu. Najprv ju pridajte.',
  ),
  usedMeanwhile: text(
    'It was changed meanwhile, or other records have it now. Look at the page again and decide.',
    'Medzitým sa to zmenilo alebo to majú iné záznamy. Pozrite si stránku znova a rozhodnite sa.',
  ),
  archived: text('Archived', 'Archivované'),
  archivedAbout: text(
    'Records that have these keep them; nobody can choose them.',
    'Záznamom, ktoré ich majú, zostávajú; vybrať sa nedajú.',
  ),
  restore: text('Bring back', 'Vrátiť späť'),
  up: text('Move up', 'Posunúť vyššie'),
  down: text('Move down', 'Posunúť nižšie'),
  withoutGroup: text('Without a group', 'Bez skupiny'),
} as const satisfies Record<string, Text>;

/** The texts of the pages of lists in a language. */
export const lookupSay = sayFrom({ ...sharedTexts, ...lookupTexts });

/** What was done, where the address of a page says so. */
export const doneNotice = doneNoticeFrom({
  saved: text('Saved.', 'Uložené.'),
  added: text('Added.', 'Pridané.'),
  removed: text('Removed.', 'Odstránené.'),
  archived: text('Archived.', 'Archivované.'),
  restored: text('It can be chosen again.', 'Dá sa znova vybrať.'),
  moved: text('Moved.', 'Posunuté.'),
});
