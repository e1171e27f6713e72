import { type Text, text } from '@dealkeep/contract';

export const signInTexts = {
  signInTitle: text('Sign in', 'Prihlásenie'),
  signInButton: text('Sign in', 'Prihlásiť sa'),
  email: text('E-mail', 'E-mail'),
  password: text('Password', 'Heslo'),
  forgotten: text(
    'Forgotten? Ask an owner of your organization, or the operator of this installation, to set a new one.',
    'Zabudnuté? O nové požiadajte vlastníka vašej organizácie alebo správcu tejto inštalácie.',
  ),
} as const satisfies Record<string, Text>;
