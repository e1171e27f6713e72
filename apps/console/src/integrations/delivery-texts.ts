import { type Text, text } from '@dealkeep/contract';
import { sayFrom, sharedTexts } from '../texts.ts';

const deliveryTexts = {
  deliveries: text('Deliveries', 'Doručenia'),
  live: text('Live', 'Naživo'),
  liveAbout: text('This list is kept up to date by itself.', 'Tento zoznam sa obnovuje sám.'),
  refresh: text('Refresh', 'Obnoviť'),
  news: text('New or changed deliveries: {count}', 'Nové alebo zmenené doručenia: {count}'),

  firstPage: text('First page', 'Prvá stránka'),
  all: text('All', 'Všetky'),
  delivered: text('Delivered', 'Doručené'),
  waiting: text('Retrying', 'Opakujú sa'),
  held: text('Held', 'Pozdržané'),
  failed: text('Failed', 'Neúspešné'),
  tests: text('Tests', 'Testy'),
  isDelivered: text('Delivered', 'Doručené'),
  isWaiting: text('Retrying', 'Opakuje sa'),
  isHeld: text('Held', 'Pozdržané'),
  isFailed: text('Failed', 'Neúspešné'),
  atLeast: text('{count} or more', '{count} alebo viac'),
  outcome: text('Outcome', 'Výsledok'),

  event: text('Event', 'Udalosť'),
  record: text('Record', 'Záznam'),
  recordFind: text('Name of a record', 'Názov záznamu'),
  oneRecord: text('One record', 'Jeden záznam'),
  webhook: text('Webhook', 'Webhook'),
  removedWebhook: text('Removed', 'Odstránený'),
  every: text('All', 'Všetky'),
  period: text('Time', 'Čas'),
  anyTime: text('30 days', '30 dní'),
  hour: text('The last hour', 'Posledná hodina'),
  day: text('The last 24 hours', 'Posledných 24 hodín'),
  week: text('The last 7 days', 'Posledných 7 dní'),
  moreFilters: text('More filters', 'Ďalšie filtre'),
  attempts: text('Attempts', 'Pokusy'),
  latency: text('Answered in', 'Odpoveď za'),
  answer: text('Answer', 'Odpoveď'),
  lastAttempt: text('Tried', 'Skúšané'),
  nextAttempt: text('Next', 'Ďalší'),
  test: text('Test', 'Test'),
  nothing: text('Nothing was sent like this', 'Nič také sa neposlalo'),
  nothingYet: text('Nothing was sent yet', 'Zatiaľ sa nič neposlalo'),
  nothingYetTeach: text(
    'As soon as something happens that a webhook waits for, it stands here with what was answered.',
    'Len čo sa stane niečo, na čo webhook čaká, objaví sa to tu aj s odpoveďou.',
  ),

  select: text('Select {what}', 'Vybrať {what}'),
  selectAll: text('Select all on this page', 'Vybrať všetky na tejto stránke'),
  selected: text('Selected: {count}', 'Vybrané: {count}'),
  resendSelected: text('Send the selected again', 'Vybrané poslať znova'),
  resentCount: text(
    'Deliveries that are sent again: {count}.',
    'Doručenia, ktoré sa posielajú znova: {count}.',
  ),
  refusedCount: text(
    'Not sent: {count}, because the webhook gets nothing now, or they are being sent at this moment.',
    'Neposlané: {count}, lebo webhook teraz nič nedostáva alebo sa práve posielajú.',
  ),
  noneSelected: text('Nothing was selected.', 'Nič nebolo vybrané.'),

  whyFailed: text('Why it failed', 'Prečo zlyhalo'),
  triedAgain: text('It is tried again by itself {moment}.', 'Skúsi sa znova samo {moment}.'),
  waitsForWebhook: text('It waits until the webhook is enabled.', 'Čaká, kým sa webhook zapne.'),
  notTriedAgain: text(
    'It is not tried any more: once the receiver is mended, send it again.',
    'Už sa neskúša: keď bude príjemca v poriadku, pošlite ho znova.',
  ),
  editWebhook: text('Edit the webhook', 'Upraviť webhook'),
  othersOfRecord: text('All deliveries of this record', 'Všetky doručenia tohto záznamu'),
  answerStart: text('What it answered', 'Čo odpovedal'),
  emptyAnswer: text('The answer was empty.', 'Odpoveď bola prázdna.'),
} as const satisfies Record<string, Text>;

/** The texts of deliveries in a language. */
export const deliverySay = sayFrom({ ...sharedTexts, ...deliveryTexts });
