import { type Text, text } from '@dealkeep/contract';
import { sayFrom, sharedTexts } from '../texts.ts';

const homeTexts = {
  pipeline: text('Open pipeline', 'Otvorené príležitosti'),
  pipelineCount: text('Leads: {count}', 'Príležitosti: {count}'),
  pipelineTrend: text(
    'Worth of open leads over the last 12 weeks',
    'Hodnota otvorených príležitostí za posledných 12 týždňov',
  ),
  pipelineTrendAbout: text(
    'From {first} at the beginning to {last} now; between {least} and {most}.',
    'Od {first} na začiatku po {last} teraz; medzi {least} a {most}.',
  ),
  won: text('Won this month', 'Vyhraté tento mesiac'),
  wonCount: text('Leads: {count}', 'Príležitosti: {count}'),
  wonBefore: text('Last month: {value} ({count})', 'Minulý mesiac: {value} ({count})'),
  overdue: text('Overdue invoices', 'Faktúry po splatnosti'),
  overdueNone: text('Nothing is overdue.', 'Nič nie je po splatnosti.'),
  overdueCount: text('Invoices: {count}', 'Faktúry: {count}'),
  dueSince: text('due {day}', 'splatná {day}'),
  tasks: text('My tasks', 'Moje úlohy'),
  tasksOverdue: text('Overdue: {count}', 'Po termíne: {count}'),
  tasksToday: text('Today: {count}', 'Dnes: {count}'),
  tasksNone: text('Nothing is due. Well done.', 'Nič nie je na dnes. Výborne.'),
  complete: text('Complete', 'Dokončiť'),
  completed: text('The task is completed.', 'Úloha je dokončená.'),
  undo: text('Undo', 'Vrátiť'),
  bookings: text('Bookings today', 'Dnešné rezervácie'),
  bookingsNone: text('No bookings today.', 'Dnes žiadne rezervácie.'),
  activities: text('Activities today', 'Dnešné aktivity'),
  activitiesNone: text('No activities today.', 'Dnes žiadne aktivity.'),
  showAll: text('Show all', 'Zobraziť všetky'),
  more: text('{count} or more', '{count} alebo viac'),

  demo: text('This is a demo', 'Toto je ukážka'),
  demoAbout: text(
    'All companies, people and amounts here are made up; try whatever you like. The first start printed the login; where it had no terminal, the login stands in the file .data/demo-login of the machine that Dealkeep runs on.',
    'Všetky firmy, ľudia a sumy sú tu vymyslené; skúšajte, čo chcete. Prihlasovacie údaje vypísal prvý štart; ak nemal terminál, sú v súbore .data/demo-login na počítači, kde beží Dealkeep.',
  ),
  demoOwn: text(
    'Begin with your own organization, on that machine:',
    'S vlastnou organizáciou začnite na tom počítači:',
  ),
  dismiss: text('Hide', 'Skryť'),
  dismissed: text('Hidden. The link at the bottom brings it back.', 'Skryté. Odkaz dole to vráti.'),
  showGuide: text('Show the first steps', 'Zobraziť prvé kroky'),

  happened: text('What happened', 'Čo sa stalo'),
  nothingHappened: text('Nothing has happened yet', 'Zatiaľ sa nič nestalo'),
  nothingHappenedTeach: text(
    'As soon as a record is made or changed, here or by a program, it is told here.',
    'Len čo sa tu alebo v inom programe vytvorí či zmení záznam, uvidíte to tu.',
  ),
  changed: text('Changed: {fields}', 'Zmenené: {fields}'),

  eventsByDay: text('Events by day', 'Udalosti podľa dní'),
  eventsSummary: text('{count} events in {days} days', 'Udalosti za {days} dní: {count}'),
  attemptsByDay: text('Deliveries by day', 'Doručenia podľa dní'),
  attemptsSummary: text(
    '{delivered} delivered and {failed} failed attempts in {days} days',
    'Za {days} dní doručené: {delivered}, neúspešné pokusy: {failed}',
  ),
  day: text('Day', 'Deň'),
  events: text('Events', 'Udalosti'),
  delivered: text('Delivered', 'Doručené'),
  failed: text('Failed attempts', 'Neúspešné pokusy'),
  asTable: text('As a table', 'Ako tabuľka'),

  trouble: text('What needs you', 'Čo potrebuje vašu pozornosť'),
  failingSince: text(
    'It has been failing since {moment}. Look at what it answers; what waits is tried again by itself.',
    'Zlyháva od {moment}. Pozrite si, čo odpovedá; čo čaká, skúsi sa znova samo.',
  ),
  disabledFailing: text(
    'It kept failing for 72 hours, so it was disabled. Mend the receiver, then enable it: what is held is delivered.',
    'Zlyhával 72 hodín, preto sa vypol. Opravte príjemcu a zapnite ho: pozdržané udalosti sa doručia.',
  ),
  disabledGone: text(
    'Its receiver said that it is gone for good (410). Give it another address or remove it.',
    'Jeho príjemca oznámil, že natrvalo skončil (410). Dajte mu inú adresu alebo ho odstráňte.',
  ),
  paused: text(
    'It is paused, because the person it belongs to is not active or the subscription has lapsed. Its events are held.',
    'Je pozastavený, lebo osoba, ktorej patrí, nie je aktívna alebo vypršalo predplatné. Jeho udalosti sa držia.',
  ),
  held: text('Held events: {count}', 'Pozdržané udalosti: {count}'),
  answers: text('See what it answers', 'Pozrieť odpovede'),
  enable: text('Enable', 'Zapnúť'),

  guide: text('Your first automation', 'Vaša prvá automatizácia'),
  guideAbout: text('{done} of {all} steps are done.', 'Hotové kroky: {done} z {all}.'),
  stepDone: text('Done:', 'Hotovo:'),
  makeKey: text('Make an API key', 'Vytvorte API kľúč'),
  makeKeyHow: text(
    'It connects Zapier, n8n or Activepieces with this organization.',
    'Spojí Zapier, n8n alebo Activepieces s touto organizáciou.',
  ),
  makeKeyDo: text('Make a key', 'Vytvoriť kľúč'),
  connect: text('Connect Zapier, n8n or Activepieces with it', 'Pripojte ním Zapier, n8n alebo Activepieces'),
  connectHow: text(
    'In Zapier: choose Dealkeep and connect an account. In n8n: Credentials → Dealkeep API. In Activepieces: add a step of Dealkeep and create a connection. It is ticked as soon as one of them calls with it, as when its connection is tested.',
    'V Zapieri: vyberte Dealkeep a pripojte účet. V n8n: Credentials → Dealkeep API. V Activepieces: pridajte krok Dealkeep a vytvorte pripojenie. Krok sa označí, len čo ním niektorý zavolá, napríklad pri skúške pripojenia.',
  ),
  listen: text(
    'Turn on a Zap, a workflow or a flow that waits for an event',
    'Zapnite Zap, workflow alebo flow, ktorý čaká na udalosť',
  ),
  listenHow: text(
    'Begin it with the trigger of Dealkeep, such as Lead created. It subscribes by itself.',
    'Začnite ho spúšťačom Dealkeep, napríklad Príležitosť vytvorená. Prihlási sa sám.',
  ),
  listenDo: text('See every event', 'Pozrieť všetky udalosti'),
  see: text('See its first delivery', 'Pozrite si jeho prvé doručenie'),
  seeHow: text(
    'Make a lead: a moment later the delivery stands in the log, with what was answered.',
    'Vytvorte príležitosť: o chvíľu je doručenie v denníku aj s odpoveďou.',
  ),
  seeDo: text('Make a lead', 'Vytvoriť príležitosť'),
} as const satisfies Record<string, Text>;

/** The texts of the first page in a language. */
export const homeSay = sayFrom({ ...sharedTexts, ...homeTexts });
