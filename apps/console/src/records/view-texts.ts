import { type Text, text } from '@dealkeep/contract';
import { doneNoticeFrom, sayFrom, sharedTexts } from '../texts.ts';

const viewTexts = {
  all: text('All', 'Všetky'),
  views: text('Views: {what}', 'Pohľady: {what}'),
  moreViews: text('More views', 'Ďalšie pohľady'),
  sharedBy: text('shared by {name}', 'zdieľa {name}'),
  saveView: text('Save this view', 'Uložiť tento pohľad'),
  manageViews: text('Manage views', 'Spravovať pohľady'),
  saveAbout: text(
    'Keeps the filters and the order that the list has now. A day such as “today” stays today.',
    'Zapamätá si filtre a poradie, ktoré má zoznam teraz. Deň ako „dnes“ zostane dneškom.',
  ),
  nothingToSave: text(
    'The list has no filter and no order of its own: this is what “All” shows.',
    'Zoznam nemá žiadny filter ani vlastné poradie: to isté ukazuje „Všetky“.',
  ),
  replaceTitle: text(
    'Or put these filters into a view that is there',
    'Alebo vložte tieto filtre do existujúceho pohľadu',
  ),
  replace: text('Replace', 'Nahradiť'),
  noneSaved: text(
    'Filter or sort the list, then choose “Save this view”: it stands above the list from then on.',
    'Zoznam vyfiltrujte alebo zoraďte a zvoľte „Uložiť tento pohľad“: odvtedy bude nad zoznamom.',
  ),
  view: text('View', 'Pohľad'),
  seenBy: text('Seen by', 'Kto ho vidí'),
  onlyYou: text('Only you', 'Iba vy'),
  everybody: text('Everybody', 'Všetci'),
  everybodyBy: text('Everybody, made by {name}', 'Všetci, vytvoril(a) {name}'),
  actions: text('Actions', 'Akcie'),
  rename: text('Rename or share', 'Premenovať alebo zdieľať'),
  remove: text('Remove', 'Odstrániť'),
  removeTitle: text('Remove the view: {name}', 'Odstrániť pohľad: {name}'),
  removeAbout: text(
    'The records that it shows stay as they are.',
    'Záznamy, ktoré zobrazuje, zostanú bez zmeny.',
  ),
  removeSharedAbout: text(
    'It is shared: nobody finds it above the list any more. The records that it shows stay as they are.',
    'Je zdieľaný: nad zoznamom ho už nikto nenájde. Záznamy, ktoré zobrazuje, zostanú bez zmeny.',
  ),
  gone: text(
    '{field}: what this view filters by is no longer there. Choose another one below, or take the filter out; then save the view anew.',
    '{field}: to, podľa čoho tento pohľad filtruje, už neexistuje. Vyberte nižšie niečo iné alebo filter odoberte a pohľad uložte znova.',
  ),
  takeOut: text('Take the filter out', 'Odobrať filter'),
} as const satisfies Record<string, Text>;

/** The texts of views in a language. */
export const viewSay = sayFrom({ ...sharedTexts, ...viewTexts });

/** What was done with a view. */
export const viewNotice = doneNoticeFrom({
  'view-saved': text('The view is saved.', 'Pohľad je uložený.'),
  'view-removed': text('The view is removed.', 'Pohľad je odstránený.'),
});
