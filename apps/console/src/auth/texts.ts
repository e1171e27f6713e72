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
    '{app} asks for access to the organization {organization}. You are signed in as {user}.',
    '{app} žiada o prístup k organizácii {organization}. Ste prihlásený ako {user}.',
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
  consentRepeated: text(
    'The application sent one thing twice. Tell its makers that client_id and redirect_uri may be given once.',
    'Aplikácia poslala jednu vec dvakrát. Povedzte jej autorom, že client_id a redirect_uri smú byť uvedené raz.',
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
