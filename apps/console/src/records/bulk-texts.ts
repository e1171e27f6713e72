import { type Text, text } from '@dealkeep/contract';
import { sayFrom, sharedTexts } from '../texts.ts';

const bulkTexts = {
  select: text('Select: {name}', 'Vybrať: {name}'),
  selectPage: text('Select all on this page', 'Vybrať všetky na tejto stránke'),
  whatToDo: text('What to do with the selected ones', 'Čo urobiť s vybranými'),
  selected: text('Selected:', 'Vybrané:'),
  allThatMatch: text(
    'All that these filters show, {max} at most',
    'Všetky, ktoré tieto filtre ukazujú, najviac {max}',
  ),
  clear: text('Clear the selection', 'Zrušiť výber'),
  exportSelected: text('Export as CSV', 'Exportovať do CSV'),
  nothingSelected: text(
    'Nothing is selected. Tick the records in the list first.',
    'Nič nie je vybrané. Najprv označte záznamy v zozname.',
  ),
  title: text('{what}: {count} selected', '{what}: vybrané {count}'),
  concerned: text('This concerns', 'Týka sa to'),
  andOthers: text('and others: {count}', 'a ďalšie: {count}'),
  cut: text(
    'More than {max} fit the filters. These are the first {max} of them, in the order of the list; do the rest afterwards.',
    'Filtrom vyhovuje viac ako {max}. Toto je prvých {max} v poradí zoznamu; ostatné urobte potom.',
  ),
  chooseFirst: text('Choose something here.', 'Tu niečo vyberte.'),
  doneTitle: text('{what}: {done} done, {refused} not', '{what}: hotovo {done}, nevykonané {refused}'),
  doneNotice: text('{what}: {count} done.', '{what}: hotovo, počet {count}.'),
  notDone: text('What was not done, and why', 'Čo sa nevykonalo a prečo'),
  record: text('Record', 'Záznam'),
  why: text('Why', 'Prečo'),
  noLongerThere: text('No longer there', 'Už neexistuje'),
  backToList: text('Back to the list', 'Späť na zoznam'),
} as const satisfies Record<string, Text>;

/** The texts of what is done with many records, in a language. */
export const bulkSay = sayFrom({ ...sharedTexts, ...bulkTexts });
