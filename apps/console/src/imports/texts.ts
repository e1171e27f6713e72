import { type Text, text } from '@dealkeep/contract';
import { doneNoticeFrom, sayFrom, sharedTexts } from '../texts.ts';

const importTexts = {
  title: text('Import from CSV: {what}', 'Import z CSV: {what}'),
  file: text('CSV file', 'Súbor CSV'),
  fileHelp: text(
    'At most {mib} MiB and {rows} rows. The first row holds the headings. Files of Excel and other spreadsheets, and exports of Dealkeep, are read as they are.',
    'Najviac {mib} MiB a {rows} riadkov. Prvý riadok obsahuje hlavičku. Súbory z Excelu a iných tabuľkových programov aj exporty z Dealkeepu sa čítajú tak, ako sú.',
  ),
  tooLargeHere: text(
    'The file is larger than {mib} MiB. Divide it into several files, each with the headings.',
    'Súbor je väčší ako {mib} MiB. Rozdeľte ho na viac súborov, každý s hlavičkou.',
  ),
  nothingYet: text(
    'Nothing is imported yet: next you see what each column is read as, and every error.',
    'Zatiaľ sa nič neimportuje: v ďalšom kroku uvidíte, ako sa číta každý stĺpec, a všetky chyby.',
  ),
  upload: text('Upload', 'Nahrať'),
  recent: text('Imports of the last {days} days', 'Importy za posledných {days} dní'),
  begun: text('Begun', 'Začatý'),
  rows: text('Rows', 'Riadky'),
  state: text('State', 'Stav'),

  uploaded: text('Columns to be chosen', 'Treba vybrať stĺpce'),
  checking: text('Being checked', 'Kontroluje sa'),
  checked: text('Waits for your yes', 'Čaká na potvrdenie'),
  running: text('Being imported', 'Importuje sa'),
  finished: text('Finished', 'Dokončený'),
  undoing: text('Being undone', 'Vracia sa späť'),
  undone: text('Undone', 'Vrátený späť'),

  columns: text('What is in the columns?', 'Čo je v stĺpcoch?'),
  columnsAbout: text(
    'Rows read: {rows} ({encoding}, {delimiter}). Say what each column holds; a column that you leave out is not imported.',
    'Počet prečítaných riadkov: {rows} ({encoding}, {delimiter}). Povedzte, čo obsahuje každý stĺpec; vynechaný stĺpec sa neimportuje.',
  ),
  semicolons: text('semicolons', 'bodkočiarky'),
  commas: text('commas', 'čiarky'),
  tabs: text('tabs', 'tabulátory'),
  bars: text('vertical bars', 'zvislé čiary'),
  heading: text('Column', 'Stĺpec'),
  column: text('Column {number}', 'Stĺpec {number}'),
  firstValues: text('First values', 'Prvé hodnoty'),
  readAs: text('Is read as', 'Číta sa ako'),
  leaveOut: text('– leave out –', '– vynechať –'),
  needed: text('{label} (required)', '{label} (povinné)'),
  decimalMark: text('Decimals follow', 'Desatinné miesta nasledujú za'),
  comma: text('a comma: 1250,50', 'čiarkou: 1250,50'),
  point: text('a point: 1250.50', 'bodkou: 1250.50'),
  matchBy: text('Update those that match by', 'Aktualizovať tie, ktoré sa zhodujú v poli'),
  matchNever: text('– never: every row is a new record –', '– nikdy: každý riadok je nový záznam –'),
  matchHelp: text(
    'A row whose value is found updates that record; empty cells leave what is there. Updates cannot be undone.',
    'Riadok, ktorého hodnota sa nájde, aktualizuje ten záznam; prázdne bunky nič nemenia. Aktualizácie sa nedajú vrátiť späť.',
  ),
  shortRows: text(
    'Rows that have fewer cells than headings ({count}): read the missing cells as empty',
    'Riadky s menším počtom buniek než hlavička ({count}): chýbajúce bunky čítať ako prázdne',
  ),
  namesHelp: text(
    'People, companies, pipelines, stages and origins are found by name, e-mail or registration ID.',
    'Ľudia, firmy, pipeline, fázy a zdroje sa hľadajú podľa mena, e-mailu alebo IČO.',
  ),
  check: text('Check all rows', 'Skontrolovať všetky riadky'),
  discard: text('Discard', 'Zahodiť'),

  progress: text('{done} of {all} rows', '{done} z {all} riadkov'),
  mayLeave: text(
    'You may leave this page: it goes on by itself. The page shows anew where it stands.',
    'Túto stránku môžete opustiť: pokračuje to samo. Stránka sa sama obnovuje.',
  ),
  showAnew: text('Show anew', 'Obnoviť'),
  stop: text('Stop', 'Zastaviť'),

  preview: text('The first rows as they are read', 'Prvé riadky tak, ako sa prečítali'),
  line: text('Line', 'Riadok'),
  allGood: text('Nothing is wrong with any row.', 'V žiadnom riadku nie je chyba.'),
  someWrong: text(
    '{ready} of {all} rows can be imported; those with errors ({faulty}) are left out. Import the good ones, or mend the file and upload it again.',
    'Importovať sa dá {ready} z {all} riadkov; riadky s chybami ({faulty}) sa vynechajú. Importujte tie dobré alebo opravte súbor a nahrajte ho znova.',
  ),
  allWrong: text(
    'None of the rows ({all}) can be imported. Choose other columns, or mend the file and upload it again.',
    'Nedá sa importovať žiadny z riadkov ({all}). Vyberte iné stĺpce alebo opravte súbor a nahrajte ho znova.',
  ),
  problems: text('Errors', 'Chyby'),
  problem: text('Error', 'Chyba'),
  wholeRow: text('The whole row', 'Celý riadok'),
  moreProblems: text('Further errors', 'Ďalšie chyby'),
  firstProblems: text('First errors', 'Prvé chyby'),
  problemsCsv: text('All rows with errors as CSV', 'Všetky riadky s chybami ako CSV'),
  events: text(
    'Each record that is made or changed is told to your webhooks, Zaps and workflows, as everywhere else.',
    'O každom vytvorenom alebo zmenenom zázname sa dozvedia vaše webhooky, Zapy a workflow, ako všade inde.',
  ),
  import: text('Import rows: {count}', 'Importovať riadky: {count}'),
  otherColumns: text('Choose other columns', 'Vybrať iné stĺpce'),

  result: text('What became of the rows', 'Čo sa stalo s riadkami'),
  created: text('New records', 'Nové záznamy'),
  updated: text('Updated', 'Aktualizované'),
  unchanged: text('Nothing new', 'Bez zmeny'),
  refused: text('Refused', 'Odmietnuté'),
  faulty: text('Left out because of errors', 'Vynechané pre chyby'),
  ready: text('Not imported', 'Neimportované'),
  waiting: text('Not checked', 'Neskontrolované'),
  removed: text('Removed again', 'Znova odstránené'),
  kept: text(
    'Kept, because somebody changed or uses them',
    'Ponechané, lebo ich niekto zmenil alebo používa',
  ),
  report: text('Report by row as CSV', 'Správa po riadkoch ako CSV'),
  keptRows: text('Rows that were kept as CSV', 'Ponechané riadky ako CSV'),
  stopped: text('It ended before its last row: {why}', 'Skončil sa pred posledným riadkom: {why}'),
  undo: text('Undo the import', 'Vrátiť import späť'),
  undoAbout: text(
    'Until {moment} you can undo it: the records that it made are removed, but for those that somebody changed since, or that others refer to. Updates stay. Nobody is told of the removal.',
    'Do {moment} ho môžete vrátiť späť: záznamy, ktoré vytvoril, sa odstránia okrem tých, ktoré medzitým niekto zmenil alebo na ktoré odkazujú iné. Aktualizácie zostanú. O odstránení sa nikomu neposiela správa.',
  ),
  undoConfirm: text('Remove the imported records?', 'Odstrániť importované záznamy?'),
  forDays: text(
    'The report can be downloaded for {days} days; then it is removed, and the records stay.',
    'Správu si možno stiahnuť {days} dní; potom sa odstráni a záznamy zostanú.',
  ),
  toList: text('To the list: {what}', 'Na zoznam: {what}'),
  anotherFile: text('Import another file', 'Importovať ďalší súbor'),
  resultColumn: text('Result', 'Výsledok'),
  recordColumn: text('Record', 'Záznam'),
} as const satisfies Record<string, Text>;

/** The texts of imports in a language. */
export const importSay = sayFrom({ ...sharedTexts, ...importTexts });

/** What was done, where the address of the page says so. */
export const importNotice = doneNoticeFrom({
  discarded: text('The import is discarded.', 'Import je zahodený.'),
});
