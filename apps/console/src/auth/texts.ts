import { type Text, text } from '@dealkeep/contract';

export const signInTexts = {
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
