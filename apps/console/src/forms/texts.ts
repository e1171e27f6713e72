import { type Text, text } from '@dealkeep/contract';
import { sayFrom, sharedTexts } from '../texts.ts';

export const formTexts = {
  needed: text('(required)', '(povinné)'),
  notShown: text(
    'Stays as it is (archived, or your role does not show it)',
    'Zostáva (archivované alebo to vaša rola nezobrazuje)',
  ),
  newCategory: text('A new category', 'Nová kategória'),
  find: text('Find', 'Nájsť'),
  findBy: text('Name or part of it', 'Názov alebo jeho časť'),
  moreByName: text(
    'There are more than stand here: find them by their names. What you have ticked stays.',
    'Je ich viac, než tu stojí: nájdite ich podľa názvu. Čo ste označili, zostáva.',
  ),
  severalFound: text('{count} found for “{q}”: choose one.', 'Pre „{q}“ sa našlo {count}: vyberte jeden.'),
  noneFound: text('Nothing was found for “{q}”.', 'Pre „{q}“ sa nič nenašlo.'),
  notSearchedYet: text(
    'Not searched for yet: {max} are searched for at once. Look at those above, then send the form again.',
    'Zatiaľ sa nehľadalo: naraz sa hľadá {max} záznamov. Pozrite si tie vyššie a odošlite formulár znova.',
  ),
  inlineNew: text('New {what}', 'Nový záznam: {what}'),
  isClient: text('Client', 'Klient'),
  customer: text('Customer', 'Zákazník'),
  knownCustomer: text('Client or company', 'Klient alebo firma'),
  oneFound: text('1 found', 'Nájdené: 1'),
  found: text('{count} found', 'Nájdené: {count}'),
  moreFound: text('More than {count}: type more of the name', 'Viac ako {count}: napíšte viac z názvu'),
  nothingFits: text('Nothing found', 'Nič sa nenašlo'),
  makeNew: text('Create “{name}”', 'Vytvoriť „{name}“'),
  whichNumber: text(
    '“{typed}” can mean {one} or {other}. Choose which one, or write it in another way.',
    '„{typed}“ môže znamenať {one} alebo {other}. Vyberte, čo platí, alebo to napíšte inak.',
  ),
  nothingToChoose: text('There is none yet.', 'Zatiaľ tu nič nie je.'),
  allOfThese: text('All of these', 'Všetky tieto'),
  addLine: text('Add a line', 'Pridať riadok'),
  moveUp: text('Move up', 'Posunúť vyššie'),
  moveDown: text('Move down', 'Posunúť nižšie'),
  lineOf: text('line {row}', 'riadok {row}'),
  lineTotal: text('Total', 'Spolu'),
  lineMore: text('SKU, note', 'SKU, poznámka'),
  steps: text('Steps', 'Kroky'),
  recalculate: text('Recalculate', 'Prepočítať'),
  subtotal: text('Subtotal', 'Základ'),
  vat: text('VAT', 'DPH'),
  discount: text('Discount', 'Zľava'),
  shipping: text('Shipping', 'Doprava'),
  toPay: text('Total with VAT', 'Spolu s DPH'),
  addRow: text('Add a row', 'Pridať riadok'),
  removeRow: text('Remove', 'Odstrániť'),
  checkFields: text('Please check what is marked below.', 'Skontrolujte, prosím, označené polia.'),
  changedMeanwhile: text(
    'Somebody changed this record while you had it open. What you typed is still here; compare it with the record and save again to keep yours.',
    'Záznam medzitým niekto zmenil. Čo ste napísali, tu zostalo; porovnajte to so záznamom a uložte znova, ak má platiť vaše.',
  ),
  notPossibleNow: text(
    'The record is in another state by now. Look at it and decide again.',
    'Záznam je už v inom stave. Pozrite si ho a rozhodnite sa znova.',
  ),
  saveAndAnother: text('Save and add another', 'Uložiť a pridať ďalší'),
  leave: text('What you typed has not been saved.', 'Čo ste napísali, nie je uložené.'),
  kept: text('I have kept it', 'Mám ho uložený'),
  shownOnce: text(
    'Keep it now in a safe place: it is shown only this once.',
    'Uložte si ho teraz na bezpečné miesto: zobrazí sa iba tentoraz.',
  ),
} as const satisfies Record<string, Text>;

/** The texts of forms in a language. */
export const formSay = sayFrom({ ...sharedTexts, ...formTexts });
