import { type Text, text } from '@dealkeep/contract';
import { doneNoticeFrom, sayFrom, sharedTexts } from '../texts.ts';

export const onDocuments = text('On invoices and quotes', 'Na faktúrach a ponukách');

const settingsTexts = {
  never: text('Never', 'Nikdy'),
  name: text('Name', 'Názov'),
  facts: text('Details', 'Podrobnosti'),
  steps: text('What to do', 'Čo urobiť'),
  remove: text('Remove', 'Odstrániť'),

  organization: text('Organization', 'Organizácia'),
  editOrganization: text('Edit the organization', 'Upraviť organizáciu'),
  organizationAbout: text(
    'What you change counts at once, for everybody and every program.',
    'Čo zmeníte, platí hneď, pre každého človeka aj program.',
  ),
  ownersEdit: text('Owners of the organization change this.', 'Toto menia vlastníci organizácie.'),
  country: text('Country', 'Krajina'),
  currency: text('Currency', 'Mena'),
  timeZone: text('Time zone', 'Časové pásmo'),
  newTags: text('New tags', 'Nové štítky'),
  madeByPrograms: text('Made when a program gives one', 'Vytvoria sa, keď ich program použije'),
  notMadeByPrograms: text('Added here only', 'Pridávajú sa len tu'),
  assistants: text('AI assistants', 'AI asistenti'),
  onDocuments,
  nothingOnDocuments: text(
    'Only the name is printed. An owner adds the address, the IDs and the bank account.',
    'Tlačí sa len názov. Adresu, IČO, DIČ a bankový účet doplní vlastník.',
  ),
  slug: text('Short name', 'Skratka'),
  environment: text('Environment', 'Prostredie'),
  live: text('Live', 'Ostré'),
  test: text('Test: all is reset every night', 'Testovacie: každú noc sa všetko obnoví'),
  subscription: text('Subscription', 'Predplatné'),
  active: text('Active', 'Aktívne'),
  lapsed: text('Lapsed', 'Neplatné'),
  keys: text('API keys', 'API kľúče'),
  webhook: text('Webhook', 'Webhook'),
  webhooks: text('Webhooks', 'Webhooky'),
  storage: text('Storage', 'Úložisko'),
  storageUsed: text('{used} MB', '{used} MB'),
  storageUsedOf: text('{used} of {max} MB', '{used} z {max} MB'),
  notMeasured: text('Not measured yet', 'Ešte nezmerané'),
  usedOf: text('{used} of {max}', '{used} z {max}'),
  fixed: text(
    'The short name, the subscription and the limits are changed by the operator of this installation.',
    'Skratku, predplatné a limity mení správca tejto inštalácie.',
  ),

  members: text('People', 'Ľudia'),
  membersAbout: text(
    'Whoever stands here can sign in, as far as the role permits. Passwords are everybody’s own.',
    'Kto je tu uvedený, môže sa prihlásiť a robiť, čo mu povoľuje rola. Heslo má každý svoje.',
  ),
  invite: text('Invite a person', 'Pozvať osobu'),
  inviteAbout: text(
    'The person chooses name and password, or joins with the ones that they have. The invitation is valid for seven days.',
    'Osoba si zvolí meno a heslo, alebo sa pripojí s tými, ktoré má. Pozvánka platí sedem dní.',
  ),
  sendInvitation: text('Invite', 'Pozvať'),
  invited: text('Invited', 'Pozvaní'),
  invitedBy: text('Invited by', 'Pozval'),
  validUntil: text('Valid until', 'Platí do'),
  isExpired: text('Expired', 'Vypršala'),
  sendAgain: text('Send again', 'Poslať znova'),
  withdraw: text('Withdraw', 'Stiahnuť'),
  invitationMade: text('{email} is invited', 'Pozvaný: {email}'),
  linkAbout: text(
    'The link. Hand it over yourself: this installation sends no mail. It counts once, for seven days.',
    'Odkaz. Odovzdajte ho sami: táto inštalácia neposiela e-maily. Platí raz, sedem dní.',
  ),
  memberName: text('Name', 'Meno'),
  email: text('E-mail', 'E-mail'),
  role: text('Role', 'Rola'),
  owner: text('Owner', 'Vlastník'),
  state: text('Access', 'Prístup'),
  isActive: text('Active', 'Aktívny'),
  isInactive: text('Deactivated', 'Deaktivovaný'),
  lastSignIn: text('Last sign-in', 'Posledné prihlásenie'),
  language: text('Language', 'Jazyk'),
  notChosen: text('Not chosen', 'Nevybraný'),
  you: text('You', 'Vy'),
  editMemberAbout: text(
    'Another role counts at once, also for what the person connected. API keys keep their own scopes, whatever the role.',
    'Iná rola platí hneď, aj pre to, čo osoba pripojila. API kľúčom zostávajú ich vlastné oprávnenia bez ohľadu na rolu.',
  ),
  deactivate: text('Deactivate', 'Deaktivovať'),
  deactivateTitle: text('Deactivate {name}?', 'Deaktivovať: {name}?'),
  deactivateAbout: text(
    'The person is signed out of this organization everywhere and cannot come back. All records stay, and still show the name. You can activate the person again.',
    'Osoba bude z tejto organizácie všade odhlásená a už sa do nej nedostane. Všetky záznamy zostanú a meno sa v nich naďalej zobrazuje. Osobu môžete znova aktivovať.',
  ),
  yourself: text('This is you: you are signed out at once.', 'Ste to vy: hneď budete odhlásený.'),
  keysStop: text(
    'These API keys are refused until the person is active again; their REST hooks pause, and their events are held:',
    'Tieto API kľúče budú odmietané, kým osoba nebude znova aktívna; ich REST hooky sa pozastavia a udalosti sa pozdržia:',
  ),
  appsEnd: text(
    'These connected apps are disconnected for good, and their REST hooks end:',
    'Tieto pripojené aplikácie sa natrvalo odpoja a ich REST hooky sa skončia:',
  ),
  nothingStops: text(
    'No API key and no connected app stops with it.',
    'Nezastaví sa tým žiadny API kľúč ani pripojená aplikácia.',
  ),
  activate: text('Activate', 'Aktivovať'),
  usedBy: text('Keys and connected apps', 'Kľúče a pripojené aplikácie'),
  apps: text('Connected apps', 'Pripojené aplikácie'),
  none: text('None', 'Žiadne'),

  roles: text('Roles', 'Roly'),
  rolesAbout: text(
    'A role says what its people may do. Owners have none: they may do everything. A change counts at once, also for open sessions and connected apps.',
    'Rola určuje, čo smú ľudia, ktorí ju majú. Vlastníci žiadnu nemajú: smú všetko. Zmena platí hneď, aj pre otvorené prihlásenia a pripojené aplikácie.',
  ),
  noRoles: text('There is no role yet', 'Zatiaľ tu nie je žiadna rola'),
  rolesTeach: text(
    'Make one for people who should not see or change everything, such as “Sales” for leads and companies.',
    'Vytvorte ju pre ľudí, ktorí nemajú vidieť alebo meniť všetko, napríklad „Predaj“ pre príležitosti a firmy.',
  ),
  newRole: text('New role', 'Nová rola'),
  createRole: text('Create the role', 'Vytvoriť rolu'),
  permits: text('May see', 'Smie vidieť'),
  whoHasIt: text('People', 'Ľudia'),
  nobody: text('Nobody', 'Nikto'),
  removeRole: text('Remove the role {name}?', 'Odstrániť rolu {name}?'),
  removeRoleAbout: text('Nobody has it. It is gone for good.', 'Nikto ju nemá. Zmizne natrvalo.'),
  roleInUse: text(
    'People have this role, so it stays. Give each of them another one first:',
    'Túto rolu majú ľudia, preto zostáva. Najprv dajte každému z nich inú:',
  ),
  permissions: text('Permissions', 'Oprávnenia'),
  records: text('Records', 'Záznamy'),
  meansView: text(
    'See: lists, searches and pages of these records. Without it, nothing else of the line is of use.',
    'Vidieť: zoznamy, hľadanie a stránky týchto záznamov. Bez toho je zvyšok riadka zbytočný.',
  ),
  meansCreate: text('Create: add new ones.', 'Vytvárať: pridávať nové.'),
  meansEdit: text(
    'Change: edit them and take every step with them, such as moving a lead or recording a payment.',
    'Meniť: upravovať ich a robiť s nimi každý krok, napríklad presunúť príležitosť či zaznamenať platbu.',
  ),
  meansAssigned: text(
    'Assigned: only records whose owner or assignee the person is. Connected apps see nothing by it: they need “All”.',
    'Pridelené: iba záznamy, ktorých je osoba vlastníkom alebo riešiteľom. Pripojené aplikácie tým nevidia nič: potrebujú „Všetky“.',
  ),
  noPermission: text('None', 'Žiadne'),

  notifications: text('Who is notified', 'Koho upozorniť'),
  notificationsAbout: text(
    'When a webhook has failed for {hours} hours, and when it ends after {end}, an e-mail tells these people. Nobody who is deactivated is told.',
    'Keď webhook zlyháva {hours} hodín a keď sa po {end} skončí, dostanú títo ľudia e-mail. Kto je deaktivovaný, nedostane nič.',
  ),
  becauseChosen: text('chosen for this webhook', 'vybraní pre tento webhook'),
  becauseMaker: text('their key or connected app made it', 'vytvoril ho ich kľúč alebo pripojená aplikácia'),
  becauseOwner: text(
    'owners, because nobody else is active or chosen',
    'vlastníci, lebo nikto iný nie je aktívny ani vybraný',
  ),
  told: text('Told', 'Dostane správu'),
  toldNobody: text('Nobody: there is no active owner', 'Nikto: niet aktívneho vlastníka'),
  chooseUsers: text('Choose', 'Vybrať'),
  noWebhooks: text('There is no webhook yet', 'Zatiaľ tu nie je žiadny webhook'),
  noWebhooksTeach: text(
    'Once there is one, the owners are told of its trouble, or the people whom you choose.',
    'Keď nejaký pribudne, o jeho ťažkostiach sa dozvedia vlastníci alebo ľudia, ktorých vyberiete.',
  ),
  actions: text('Actions', 'Akcie'),

  account: text('Your account', 'Váš účet'),
  editAccount: text('Edit your account', 'Upraviť váš účet'),
  emailByOperator: text('The operator of this installation changes it.', 'Mení ho správca tejto inštalácie.'),
  changePassword: text('Change the password', 'Zmeniť heslo'),
  changePasswordAbout: text(
    'You stay signed in here; everywhere else you are signed out. Keys and connected apps go on.',
    'Tu zostanete prihlásený; všade inde budete odhlásený. Kľúče a pripojené aplikácie fungujú ďalej.',
  ),
  sessions: text('Where you are signed in', 'Kde ste prihlásený'),
  browser: text('Browser', 'Prehliadač'),
  unknownBrowser: text('Unknown', 'Neznámy'),
  since: text('Since', 'Od'),
  lastSeen: text('Last seen', 'Naposledy'),
  thisOne: text('This one', 'Tento'),
  endOthers: text('Sign out everywhere else', 'Odhlásiť všade inde'),
  endOthersTitle: text('Sign out everywhere else?', 'Odhlásiť všade inde?'),
  endOthersAbout: text(
    'Every session but this one ends. What is typed there and not saved is lost.',
    'Skončia sa všetky prihlásenia okrem tohto. Čo je tam napísané a neuložené, sa stratí.',
  ),
} as const satisfies Record<string, Text>;

/** The texts of these pages in a language. */
export const settingsSay = sayFrom({ ...sharedTexts, ...settingsTexts });

/** What was done, where the address of a page says so. */
export const doneNotice = doneNoticeFrom({
  saved: text('Saved.', 'Uložené.'),
  invited: text('The invitation is on its way by mail.', 'Pozvánka je na ceste e-mailom.'),
  withdrawn: text('The invitation is withdrawn.', 'Pozvánka je stiahnutá.'),
  made: text('The role is made.', 'Rola je vytvorená.'),
  removed: text('The role is removed.', 'Rola je odstránená.'),
  deactivated: text('The person is deactivated.', 'Osoba je deaktivovaná.'),
  activated: text(
    'The person is active and can sign in again.',
    'Osoba je aktívna a môže sa znova prihlásiť.',
  ),
  password: text('The password is changed.', 'Heslo je zmenené.'),
  ended: text('You are signed out everywhere else.', 'Všade inde ste odhlásený.'),
});
