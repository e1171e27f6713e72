import { type Text, text } from '@dealkeep/contract';
import { sayFrom, sharedTexts } from '../../texts.ts';

const boardTexts = {
  title: text('Leads: board', 'Príležitosti: nástenka'),
  list: text('List', 'Zoznam'),
  createIn: text('Create a lead in {stage}', 'Vytvoriť príležitosť vo fáze {stage}'),
  noPipeline: text('There is no pipeline yet.', 'Zatiaľ tu nie je žiadna pipeline.'),
  pipeline: text('Pipeline', 'Pipeline'),
  whose: text('Whose leads', 'Čie príležitosti'),
  everybodys: text('All', 'Všetky'),
  mine: text('Mine', 'Moje'),
  find: text('Find by name', 'Hľadať podľa názvu'),
  keys: text(
    'Drag a card, or with the keyboard: arrows go from card to card, Shift with ← or → moves the card.',
    'Kartu presuniete myšou alebo klávesnicou: šípky prechádzajú medzi kartami, Shift s ← alebo → kartu presunie.',
  ),
  empty: text('No leads', 'Žiadne príležitosti'),
  more: text('More', 'Ďalšie'),
  allOfStage: text('All of this stage', 'Všetky v tejto fáze'),
  moveCard: text('Move: {name}', 'Presunúť: {name}'),
  moveTo: text('Move to', 'Presunúť do'),
  owner: text('Owner: {name}', 'Vlastník: {name}'),
  closes: text('Expected to close: {date}', 'Očakávané uzavretie: {date}'),
  overdue: text('Overdue', 'Po termíne'),
  inStage: text('In this stage for {time}', 'V tejto fáze {time}'),
  moved: text('{name}: moved to {stage}.', '{name}: presunuté do fázy {stage}.'),
  movedMeanwhile: text(
    '{name}: somebody moved it to {stage} meanwhile. It stands there now.',
    '{name}: medzitým to niekto presunul do fázy {stage}. Teraz je tam.',
  ),
  stays: text('{name} stays where it was. {reason}', '{name} zostáva, kde bola. {reason}'),
  gone: text(
    'This lead is no longer on the board: somebody archived or removed it.',
    'Táto príležitosť už na nástenke nie je: niekto ju archivoval alebo odstránil.',
  ),
  notMoved: text(
    'The card was not moved: the server did not answer. Try again.',
    'Karta sa nepresunula: server neodpovedal. Skúste to znova.',
  ),
  undo: text('Undo', 'Vrátiť späť'),
  close: text('Close', 'Zavrieť'),
  whyLost: text('Why was it lost?', 'Prečo sa prehrala?'),
  lostReason: text('Reason', 'Dôvod'),
  noReason: text('No reason', 'Bez dôvodu'),
  lostNote: text('Note', 'Poznámka'),
  markLost: text('Mark as lost', 'Označiť ako prehratú'),
  cancel: text('Cancel', 'Zrušiť'),
} as const satisfies Record<string, Text>;

/** The texts of the board in a language. */
export const boardSay = sayFrom({ ...sharedTexts, ...boardTexts });
