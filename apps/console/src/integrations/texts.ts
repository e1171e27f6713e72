import { type Text, text } from '@dealkeep/contract';
import { doneNoticeFrom } from '../frame/done-notice.ts';
import { sayFrom } from '../say-from.ts';
import { sharedTexts } from '../texts.ts';

const integrationTexts = {
  actions: text('Actions', 'Akcie'),
  name: text('Name', 'Názov'),
  owner: text('Belongs to', 'Patrí'),
  access: text('Access', 'Prístup'),
  lastUse: text('Last use', 'Naposledy použité'),
  usedBy: text('by {program}', 'cez {program}'),
  expiry: text('Expires', 'Platí do'),
  never: text('Never', 'Nikdy'),
  noExpiry: text('Does not expire', 'Bez konca platnosti'),
  seeEverything: text('See everything', 'Vidieť všetko'),
  everyScope: text('Every scope', 'Všetky oprávnenia'),
  scopeCount: text('Scopes: {count}', 'Oprávnenia: {count}'),
  legacy: text('Legacy', 'Starý typ'),

  keys: text('API keys', 'API kľúče'),
  noKeys: text('There is no API key yet', 'Zatiaľ tu nie je žiadny API kľúč'),
  keysTeach: text(
    'A key connects a program such as n8n or Zapier: paste it there where it asks for an API key.',
    'Kľúčom pripojíte program, napríklad n8n alebo Zapier: vložte ho tam, kde žiada API kľúč.',
  ),
  newKey: text('New API key', 'Nový API kľúč'),
  createKey: text('Create the key', 'Vytvoriť kľúč'),
  keyMade: text('The key is made', 'Kľúč je vytvorený'),
  yourKey: text('Your API key', 'Váš API kľúč'),
  revoke: text('Revoke', 'Zrušiť'),
  revokeTitle: text('Revoke the key {name}?', 'Zrušiť kľúč {name}?'),
  revokeAbout: text(
    'Programs that use it are refused from now on. This cannot be taken back.',
    'Programy, ktoré ho používajú, budú odteraz odmietnuté. Nedá sa to vrátiť.',
  ),
  noHookStops: text('No REST hook stops with it.', 'Nezastaví sa tým žiadny REST hook.'),
  hooksStop: text(
    'These REST hooks stop with it, and what still waits for them is dropped:',
    'Zastavia sa tým tieto REST hooky a čo na ne ešte čaká, sa zahodí:',
  ),

  webhook: text('Webhook', 'Webhook'),
  webhooks: text('Webhooks', 'Webhooky'),
  noWebhooks: text('There is no webhook yet', 'Zatiaľ tu nie je žiadny webhook'),
  webhooksTeach: text(
    'A webhook sends each chosen event, signed, to an address of yours. Zapier and n8n make theirs by themselves.',
    'Webhook posiela každú vybranú udalosť podpísanú na vašu adresu. Zapier a n8n si ich vytvárajú samy.',
  ),
  newWebhook: text('New webhook', 'Nový webhook'),
  createWebhook: text('Create the webhook', 'Vytvoriť webhook'),
  webhookMade: text('The webhook is made', 'Webhook je vytvorený'),
  signingSecret: text(
    'Its signing secret: the receiver checks deliveries with it',
    'Jeho podpisový kľúč: príjemca ním overuje doručenia',
  ),
  secretMade: text('The secret is changed', 'Podpisový kľúč je zmenený'),
  health: text('Health', 'Stav'),
  events: text('Events', 'Udalosti'),
  madeBy: text('Made by', 'Vytvoril'),
  madeAt: text('Since', 'Od'),
  target: text('Target URL', 'Cieľová adresa'),
  lastSuccess: text('Last success', 'Posledný úspech'),
  failingSince: text('Failing since', 'Zlyháva od'),
  disabledAt: text('Disabled since', 'Vypnutý od'),
  held: text('Held events', 'Pozdržané udalosti'),
  dropped: text('Dropped events', 'Zahodené udalosti'),
  previousSecret: text('The former secret signs until', 'Predošlý kľúč podpisuje do'),
  steps: text('What to do', 'Čo urobiť'),
  enable: text('Enable', 'Zapnúť'),
  disable: text('Disable', 'Vypnúť'),
  rotate: text('Change the secret', 'Zmeniť podpisový kľúč'),
  remove: text('Remove', 'Odstrániť'),
  replay: text('Send again', 'Poslať znova'),
  testEvent: text('Test event', 'Testovacia udalosť'),
  sendTest: text('Send a test', 'Poslať test'),
  disableAbout: text(
    'Nothing is sent any more. What waits is dropped, and what happens meanwhile is not made up for.',
    'Nič sa už nepošle. Čo čaká, sa zahodí a čo sa medzitým stane, sa nedoručí.',
  ),
  removeAbout: text(
    'It is gone for good, and what waits for it is dropped. The delivery log stays for 30 days.',
    'Natrvalo zmizne a čo naň čaká, sa zahodí. Denník doručení zostáva 30 dní.',
  ),
  removeHookAbout: text(
    'The program that made it is not told: its trigger gets nothing more until it subscribes anew. What waits is dropped.',
    'Program, ktorý ho vytvoril, sa to nedozvie: jeho spúšťač nič nedostane, kým sa znova neprihlási. Čo čaká, sa zahodí.',
  ),
  rotateAbout: text(
    'The new secret is shown once. The former one signs besides for 24 hours, so that the receiver can change over.',
    'Nový kľúč sa zobrazí raz. Predošlý podpisuje popri ňom 24 hodín, aby príjemca stihol prejsť na nový.',
  ),
  replayAbout: text(
    'Each delivery of the log gets one extra attempt with the same body and id, the oldest first.',
    'Každé doručenie z denníka dostane jeden pokus navyše s tým istým obsahom a id, najstaršie prvé.',
  ),

  replayFailed: text(
    'Failed deliveries that are sent again: {count}',
    'Neúspešné doručenia, ktoré sa pošlú znova: {count}',
  ),
  replayAll: text('Deliveries that are sent again: {count}', 'Doručenia, ktoré sa pošlú znova: {count}'),
  replayDelivered: text(
    'Delivered already: {count}. The receiver gets them once more.',
    'Už doručené: {count}. Príjemca ich dostane ešte raz.',
  ),
  replayMore: text('And further ones: {count}', 'A ďalšie: {count}'),
  replayNoneFailed: text(
    'None has failed, so there is nothing to send again.',
    'Žiadne nezlyhalo, preto niet čo poslať znova.',
  ),
  replayNone: text('The log holds none of these.', 'V denníku také nie sú.'),
  replayOthers: text('Send others again', 'Poslať znova iné'),
  replayShow: text('Show which these are', 'Zobraziť, ktoré to sú'),
  wasDelivered: text('Delivered', 'Doručené'),
  hasFailed: text('Failed', 'Neúspešné'),

  log: text('Delivery log', 'Denník doručení'),
  logAbout: text(
    'Every delivery by its last attempt, the latest first, kept for 30 days.',
    'Každé doručenie podľa posledného pokusu, najnovšie prvé, uchované 30 dní.',
  ),
  wholeLog: text('The whole log', 'Celý denník'),
  recent: text('Recent deliveries', 'Posledné doručenia'),
  nothingInLog: text('The log holds nothing like this.', 'Nič také v denníku nie je.'),
  event: text('Event', 'Udalosť'),
  eventId: text('Event id', 'Id udalosti'),
  occurred: text('Happened', 'Stalo sa'),
  outcome: text('Outcome', 'Výsledok'),
  result: text('Answer', 'Odpoveď'),
  attempts: text('Attempts', 'Pokusy'),
  attempt: text('Attempt {number}', 'Pokus {number}'),
  attemptByHand: text('Asked for by hand', 'Vyžiadaný ručne'),
  lastAttempt: text('Last attempt', 'Posledný pokus'),
  nextAttempt: text('Next attempt', 'Ďalší pokus'),
  webhookGone: text('Removed', 'Odstránený'),
  request: text(
    'Request headers (the signatures are not kept)',
    'Hlavičky požiadavky (podpisy sa neuchovávajú)',
  ),
  answer: text('Start of the answer', 'Začiatok odpovede'),
  sentBody: text('What is sent', 'Čo sa posiela'),
  bodyGone: text('It is no longer kept.', 'Už sa neuchováva.'),
  resend: text('Send again', 'Poslať znova'),

  apps: text('Connected apps', 'Pripojené aplikácie'),
  noApps: text('No app is connected', 'Nie je pripojená žiadna aplikácia'),
  appsTeach: text(
    'An app such as Zapier connects from its own side: choose Dealkeep there and agree here.',
    'Aplikácia, napríklad Zapier, sa pripája zo svojej strany: vyberte tam Dealkeep a tu súhlaste.',
  ),
  app: text('App', 'Aplikácia'),
  person: text('Person', 'Osoba'),
  disconnect: text('Disconnect', 'Odpojiť'),
  disconnectTitle: text('Disconnect {app}?', 'Odpojiť {app}?'),
  disconnectAbout: text(
    '{app} can no longer act for {person}. To use it again, connect it anew.',
    '{app} už nebude môcť konať za osobu {person}. Ak ju chcete znova používať, pripojte ju nanovo.',
  ),

  developers: text('Developers', 'Pre vývojárov'),
  reference: text('API reference', 'Referencia API'),
  openReference: text('Open the reference', 'Otvoriť referenciu'),
  baseAddress: text('Base address', 'Základná adresa'),
  forModels: text('For language models', 'Pre jazykové modely'),
  catalog: text('Events', 'Udalosti'),
  catalogAbout: text('Each with a sample of what is sent.', 'Každá s ukážkou toho, čo sa posiela.'),
  type: text('Type', 'Typ'),
  record: text('Record', 'Záznam'),
  when: text('When', 'Kedy'),
  sample: text('Sample', 'Ukážka'),
  sampleAbout: text(
    'The body of a delivery, with test set to true.',
    'Obsah doručenia s test nastaveným na true.',
  ),
} as const satisfies Record<string, Text>;

/** The texts of these pages in a language. */
export const integrationSay = sayFrom({ ...sharedTexts, ...integrationTexts });

/** What was done, where the address of a page says so. */
export const doneNotice = doneNoticeFrom({
  revoked: text('The key is revoked.', 'Kľúč je zrušený.'),
  saved: text('Saved.', 'Uložené.'),
  enabled: text(
    'It is enabled; what was held is delivered now.',
    'Je zapnutý; čo bolo pozdržané, sa teraz doručí.',
  ),
  disabled: text('It is disabled.', 'Je vypnutý.'),
  removed: text('The webhook is removed.', 'Webhook je odstránený.'),
  replayed: text('Deliveries sent again: {count}', 'Znova poslané doručenia: {count}'),
  tested: text('The test was sent; below is what came of it.', 'Test bol poslaný; nižšie je, ako dopadol.'),
  resent: text('It is being sent again.', 'Posiela sa znova.'),
  disconnected: text('The app is disconnected.', 'Aplikácia je odpojená.'),
});
