import { type Text, text } from '@dealkeep/contract';
import { sayFrom, sharedTexts } from '../texts.ts';

const assistantTexts = {
  connectAssistant: text('Connect an assistant', 'Pripojiť asistenta'),
  about: text(
    'Claude, ChatGPT and other AI assistants can work here for you: they look up leads, companies and the rest, prepare a meeting, add and change records, and tell what is new. An assistant can do what you may do, or what its API key may, and nothing more.',
    'Claude, ChatGPT a ďalší AI asistenti tu môžu pracovať za vás: vyhľadajú príležitosti, firmy aj ostatné, pripravia stretnutie, pridajú a upravia záznamy a povedia, čo je nové. Asistent smie to, čo smiete vy, alebo čo smie jeho API kľúč, a nič viac.',
  ),
  switchedOff: text(
    'AI assistants are switched off in this organization, so none of them connects.',
    'AI asistenti sú v tejto organizácii vypnutí, preto sa žiadny nepripojí.',
  ),
  askOwner: text('An owner can allow them.', 'Povoliť ich môže vlastník.'),
  noHttps: text(
    'This installation has no address with https ({origin}). Assistants in the cloud, such as Claude on the web and ChatGPT, cannot reach it. Programs on a computer that reaches it can: Claude Code, Claude Desktop with an API key, VS Code, n8n.',
    'Táto inštalácia nemá adresu s https ({origin}). Asistenti v cloude, napríklad Claude na webe a ChatGPT, sa k nej nepripoja. Programy na počítači, z ktorého je dostupná, áno: Claude Code, Claude Desktop s API kľúčom, VS Code, n8n.',
  ),
  permitted: text('What assistants may do here', 'Čo tu asistenti smú'),
  change: text('Change', 'Zmeniť'),
  address: text('Address', 'Adresa'),
  addresses: text('Addresses', 'Adresy'),
  addressesAbout: text(
    'The first one is enough for the daily work of sales. Fewer tools are chosen more surely, so give an assistant the set that it needs. With {readonly} behind any of them it changes nothing.',
    'Na každodenný predaj stačí prvá. Z menej nástrojov si asistent vyberá spoľahlivejšie, preto mu dajte sadu, ktorú potrebuje. S {readonly} za ktoroukoľvek z nich nič nezmení.',
  ),
  set: text('Tools', 'Nástroje'),
  holds: text('For', 'Na čo'),
  usual: text('The usual ones', 'Bežné'),
  usualHolds: text(
    'leads, companies, contacts, activities, tasks',
    'príležitosti, firmy, kontakty, aktivity, úlohy',
  ),
  all: text('All', 'Všetky'),
  allHolds: text('all of them together', 'všetky spolu'),
  signingIn: text('How an assistant signs in', 'Ako sa asistent prihlási'),
  withAccount: text('With your account', 'Vaším účtom'),
  withAccountAbout: text(
    'The assistant opens a page of Dealkeep; you sign in and allow it. It is bound to your role, and you end it under “Connected apps”. Before the first time, that kind of assistant is registered once, by the address that stands with it below: by an owner under “Connected apps”, or for everybody by the operator of this installation:',
    'Asistent otvorí stránku Dealkeepu, prihlásite sa a povolíte ho. Platí preň vaša rola a odpojíte ho v časti „Pripojené aplikácie“. Pred prvým pripojením treba daný druh asistenta raz zaregistrovať adresou, ktorá je pri ňom uvedená nižšie: urobí to vlastník v časti „Pripojené aplikácie“ alebo pre všetkých správca tejto inštalácie:',
  ),
  withKey: text('With an API key', 'API kľúčom'),
  withKeyAbout: text(
    'For programs that you set up yourself. An owner makes the key and chooses there what assistants may do with it. For one that only looks things up, the purpose “Reading only” is enough.',
    'Pre programy, ktoré si nastavujete sami. Kľúč vytvorí vlastník a zvolí pri tom, čo s ním asistenti smú. Na vyhľadávanie stačí účel „Iba čítanie“.',
  ),
  newKey: text('New API key', 'Nový API kľúč'),
  toApps: text('Connected apps', 'Pripojené aplikácie'),
  registered: text(
    'For your account: an owner or the operator registers it once, by this address.',
    'Pre prihlásenie účtom: vlastník alebo správca ho raz zaregistruje touto adresou.',
  ),
  register: text('Register {name} for this organization', 'Zaregistrovať {name} pre túto organizáciu'),
  isRegistered: text('Registered', 'Zaregistrovaný'),
  metadata: text('address to register', 'adresa na registráciu'),
  nothingRegistered: text('It signs in with an API key.', 'Prihlasuje sa API kľúčom.'),
  needsHttps: text('Needs an address with https', 'Vyžaduje adresu s https'),
  step: text('step {number}', 'krok {number}'),
  steps: text('The steps for each', 'Postup pre jednotlivých'),
  others: text('Other programs', 'Iné programy'),
  othersAbout: text(
    'Any program that speaks the Model Context Protocol over Streamable HTTP connects to the same addresses: with an API key as its bearer token, or with your account once it is registered.',
    'K rovnakým adresám sa pripojí každý program, ktorý ovláda Model Context Protocol cez Streamable HTTP: s API kľúčom ako tokenom (bearer) alebo vaším účtom, keď je zaregistrovaný.',
  ),
} as const satisfies Record<string, Text>;

/** The texts of the page that connects assistants, in a language. */
export const assistantSay = sayFrom({ ...sharedTexts, ...assistantTexts });
