import { type Text, text } from '@dealkeep/contract';
import { sayFrom, sharedTexts } from '../texts.ts';

const signInTexts = {
  signInTitle: text('Sign in', 'Prihlásenie'),
  signInButton: text('Sign in', 'Prihlásiť sa'),
  email: text('E-mail', 'E-mail'),
  password: text('Password', 'Heslo'),
  forgotten: text(
    'Forgotten? Ask the operator of this installation to set a new one.',
    'Zabudnuté? O nové požiadajte správcu tejto inštalácie.',
  ),
  invitationTitle: text('Join {organization}', 'Pripojiť sa k {organization}'),
  invitationAsks: text(
    '{inviter} invites {email} to {organization}. Role: {role}.',
    '{inviter} pozýva {email} do organizácie {organization}. Rola: {role}.',
  ),
  invitationUntil: text('Valid until', 'Platí do'),
  invitationEnded: text('The invitation has ended', 'Pozvánka už neplatí'),
  invitationSignedIn: text('You are signed in as {user}.', 'Ste prihlásený ako {user}.'),
  invitationOther: text(
    'The invitation is for {email}: sign out to accept it with that address.',
    'Pozvánka je pre {email}: odhláste sa a prijmite ju s touto adresou.',
  ),
  join: text('Join {organization}', 'Pripojiť sa k {organization}'),
  beginTitle: text('New here', 'Som tu prvýkrát'),
  beginButton: text('Start and join', 'Začať a pripojiť sa'),
  yourName: text('Your name', 'Vaše meno'),
  newPassword: text('Choose a password', 'Zvoľte si heslo'),
  newPasswordHelp: text('At least 10 characters.', 'Aspoň 10 znakov.'),
  knownTitle: text('I sign in here already', 'Už sa tu prihlasujem'),
  knownAbout: text(
    'With this address, for another organization. You will then switch between them at the top.',
    'S touto adresou, do inej organizácie. Potom sa medzi nimi prepnete hore.',
  ),
  knownButton: text('Sign in and join', 'Prihlásiť sa a pripojiť'),
} as const satisfies Record<string, Text>;

const consentTexts = {
  consentTitle: text('Connect {app}?', 'Pripojiť {app}?'),
  consentAsks: text(
    '{app} ({from}) asks for access to the organization {organization}. You are signed in as {user}.',
    '{app} ({from}) žiada o prístup k organizácii {organization}. Ste prihlásený ako {user}.',
  ),
  consentThisComputer: text('a program on this computer', 'program na tomto počítači'),
  consentOwnMachine: text(
    'The access goes to a program on this computer, and any program on it can call itself {app}. Allow it only if you have just begun to connect {app} yourself.',
    'Prístup dostane program na tomto počítači a názov {app} môže použiť ktorýkoľvek z nich. Povoľte ho, len ak ste {app} práve sami začali pripájať.',
  ),
  consentMay: text('It will be able to:', 'Bude môcť:'),
  consentUnbacked: text(
    'Not with your role, which lacks {permissions}; it will work once an owner adds that.',
    'S vašou rolou nie, chýba jej {permissions}; bude to fungovať, keď to vlastník doplní.',
  ),
  consentLimited: text(
    'Not with your role, which has {permissions} only for records assigned to you.',
    'S vašou rolou nie, má {permissions} len pre záznamy, ktoré sú vám pridelené.',
  ),
  consentLeads: text('You will be sent back to {host}.', 'Potom sa vrátite na {host}.'),
  consentLeadsHere: text(
    'You will be sent back to a program on this computer.',
    'Potom sa vrátite do programu na tomto počítači.',
  ),
  consentEnd: text(
    'You can disconnect it at any time under Integrations → Connected apps.',
    'Odpojiť ju môžete kedykoľvek v časti Integrácie → Pripojené aplikácie.',
  ),
  allow: text('Allow', 'Povoliť'),
  deny: text('Deny', 'Odmietnuť'),
  consentOther: text('Connect another organization instead:', 'Pripojiť namiesto toho inú organizáciu:'),
  otherAccount: text('Use another account', 'Použiť iný účet'),
  consentRefusedTitle: text('This connection cannot be made', 'Toto pripojenie sa nedá vytvoriť'),
  consentUnknownApp: text(
    'The application that sent you here is not registered with this service. Tell its makers that the client_id is not known.',
    'Aplikácia, ktorá vás sem poslala, nie je v tejto službe zaregistrovaná. Povedzte jej autorom, že client_id nie je známe.',
  ),
  consentUnknownAddress: text(
    'The application asked to send you back to an address that it has not registered. Tell its makers that the redirect_uri is not right.',
    'Aplikácia vás chce poslať späť na adresu, ktorú nemá zaregistrovanú. Povedzte jej autorom, že redirect_uri nie je správne.',
  ),
  consentUnreadable: text(
    'The assistant describes itself at {address}, and this description cannot be read now or is not valid any more. Try again in a few minutes; if it stays so, tell its makers at {host}.',
    'Asistent sa opisuje na adrese {address} a tento opis sa teraz nedá načítať alebo už neplatí. Skúste to znova o pár minút; ak to nepomôže, povedzte to jeho autorom na {host}.',
  ),
  unregisteredTitle: text('{host} is not registered here', '{host} tu nie je zaregistrovaný'),
  unregisteredSays: text(
    'A program that says it belongs to {host} wants to connect. It is not registered for your organization, so it cannot ask you for anything, and has learned nothing.',
    'Chce sa pripojiť program, ktorý o sebe hovorí, že patrí k {host}. Pre vašu organizáciu nie je zaregistrovaný, takže vás nemôže o nič žiadať a nič sa nedozvedel.',
  ),
  unregisteredOnlyOwn: text(
    'Go on only if you know it and have begun to connect it yourself.',
    'Pokračujte, len ak ho poznáte a pripájať ste ho začali sami.',
  ),
  unregisteredOwner: text('For your organization', 'Pre vašu organizáciu'),
  unregisteredAskOwner: text(
    'Ask an owner to register it in Dealkeep under Integrations → Connected apps → Register an assistant, with this address:',
    'Požiadajte vlastníka, aby ho v Dealkeepe zaregistroval v časti Integrácie → Pripojené aplikácie → Zaregistrovať asistenta s touto adresou:',
  ),
  unregisteredYou: text(
    'You are an owner, so you can register it yourself. Compare its address with what its makers tell:',
    'Ste vlastník, takže ho môžete zaregistrovať sami. Porovnajte jeho adresu s tým, čo uvádzajú jeho autori:',
  ),
  unregisteredRegister: text('Register it', 'Zaregistrovať'),
  unregisteredOperator: text('For everybody on this service', 'Pre všetkých v tejto službe'),
  unregisteredAskOperator: text(
    'The operator of this installation registers it with this command:',
    'Správca tejto inštalácie ho zaregistruje týmto príkazom:',
  ),
  unregisteredElsewhere: text(
    'This assistant is registered for other organizations of this service, and not for yours. Ask an owner to register it under Integrations → Connected apps → Register an assistant, or the operator of this installation.',
    'Tento asistent je v tejto službe zaregistrovaný pre iné organizácie, nie pre vašu. Požiadajte vlastníka, aby ho zaregistroval v časti Integrácie → Pripojené aplikácie → Zaregistrovať asistenta, alebo správcu tejto inštalácie.',
  ),
  consentRepeated: text(
    'The application sent one thing twice. Tell its makers that client_id and redirect_uri may be given once.',
    'Aplikácia poslala jednu vec dvakrát. Povedzte jej autorom, že client_id a redirect_uri smú byť uvedené raz.',
  ),
  consentWrong: text(
    'The application that sent you here made a mistake in its request. Tell its makers:',
    'Aplikácia, ktorá vás sem poslala, sa vo svojej požiadavke pomýlila. Povedzte jej autorom:',
  ),
  consentWrongSignIn: text(
    'The application is also told, once you sign in.',
    'Keď sa prihlásite, dozvie sa to aj aplikácia.',
  ),
  consentLapsed: text(
    'The subscription of {organization} is not active, so that nothing can be connected. Renew it to go on.',
    'Predplatné organizácie {organization} nie je aktívne, preto sa nedá nič pripojiť. Pre pokračovanie ho obnovte.',
  ),
} as const satisfies Record<string, Text>;

const texts = { ...sharedTexts, ...signInTexts, ...consentTexts };
export type AuthTextName = keyof typeof texts;

/** The texts of signing in, invitations and consent in a language. */
export const authSay = sayFrom(texts);
